import SluiceCore
import Testing

/// A URL that says who the user is.
struct RequestURLCredentialsTests {
    @Test(arguments: [
        Credentials(user: "u", password: "p"), Credentials(user: "", password: ""),
        Credentials(user: "a:b/c@d", password: "é %41?#[]"), Credentials(user: "u", password: ""),
    ])
    func whatIsReadAgainIsTheSame(user: Credentials) throws {
        for text in ["http://site.example/a?b=c", "https://[::1]:8443/", "http://site.example:81/%20"] {
            let url = try RequestURL(text)
            let again = try RequestURL(try #require(url.text(with: user)))
            #expect(again.credentials == user)
            #expect(again.url == url.url)
        }
    }

    @Test func whatNoURLCanSayIsNotSaid() throws {
        let url = try RequestURL("http://site.example/")
        #expect(url.text(with: Credentials(user: "a\nb", password: "")) == nil)
        #expect(try RequestURL("data:,x").text(with: Credentials(user: "a", password: "b")) == nil)
    }
}

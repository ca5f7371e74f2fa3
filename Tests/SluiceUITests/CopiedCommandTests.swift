import SluiceCore
import Testing

@testable import SluiceUI

/// Requests that a browser copied as a line for a shell.
struct CopiedCommandTests {
    private static let chrome = """
        curl 'https://a.example/pics/1.jpg?x=1' \\
          -H 'accept: image/avif,image/webp' \\
          -H 'referer: https://b.example/page' \\
          -b 'session=secret; at=https://c.example' \\
          -H $'user-agent: it\\'s https://d.example' \\
          --data-raw '{"next":"https://e.example"}'
        """

    private static let among = """
        Two of them, see http://h/0:

          \(chrome)
        $ wget http://h/2
        and http://h/3, don't wait
        """

    @Test(
        arguments: [
            ("curl https://a.example/1", ["https://a.example/1"], nil),
            (chrome, ["https://a.example/pics/1.jpg?x=1"], "headers and body of the curl line are not taken"),
            (
                "curl -sSLe https://b.example -o x 'https://a.example/1'", ["https://a.example/1"],
                "headers of the curl line are not taken"
            ),
            (
                "curl -X POST -dhttp://b.example -x http://p.example:8080 https://a.example/1", ["https://a.example/1"],
                "method, body and proxy of the curl line are not taken"
            ),
            ("curl -X GET https://a.example/1", ["https://a.example/1"], nil),
            ("curl -d a=b https://a.example/1", ["https://a.example/1"], "body of the curl line is not taken"),
            ("wget -c -x https://a.example/1 http://a.example/2", ["https://a.example/1", "http://a.example/2"], nil),
            (
                "$ wget --referer=https://b.example --header 'X: http://c.example' https://a.example/1",
                ["https://a.example/1"], "headers of the wget line are not taken"
            ),
            (
                "curl ^\"https://a.example/1?a=1^&b=2^\" ^\n  -H ^\"referer: https://b.example/^\"",
                ["https://a.example/1?a=1&b=2"], "headers of the curl line are not taken"
            ),
            ("curl $'https://a.example/\\u0021x'", ["https://a.example/!x"], nil),
            (
                "curl http://a/1\n# curl the user's http://a/old\ncurl -H 'r: http://b' http://a/2",
                ["http://a/1", "http://a/2"],
                "headers of the curl line are not taken"
            ),
            ("curl -I http://a/1", ["http://a/1"], "method of the curl line is not taken"),
            ("curl -G -d q=1 http://a/1", ["http://a/1"], "query of the curl line is not taken"),
            ("curl -r 0-99 --doh-url http://b http://a/1", ["http://a/1"], "headers of the curl line are not taken"),
            (
                "curl 'http://a/1' -H 'a: http://b' ;\ncurl 'http://a/2' ;", ["http://a/1", "http://a/2"],
                "headers of the curl line are not taken"
            ),
            (
                among, ["http://h/0", "https://a.example/pics/1.jpg?x=1", "http://h/2", "http://h/3"],
                "headers and body of the curl line are not taken"
            ),
            (
                "x\ncurl http://h/1 --data 'a\nb http://h/2' \\\r\n -H 'c: http://h/3'\r\nhttp://h/4",
                ["http://h/1", "http://h/4"], "headers and body of the curl line are not taken"
            ),
            (
                "x\ncurl -d $'it\\'s http://h/0' http://h/1 # don't\nhttp://h/2", ["http://h/1", "http://h/2"],
                "body of the curl line is not taken"
            ),
        ] as [(String, [String], String?)]
    )
    func onlyWhatItAsksForIsTaken(text: String, urls: [String], note: String?) {
        let found = URLText.pasted(in: text)
        #expect(found.urls == urls)
        #expect(found.note == note)
    }

    @Test(
        arguments: [
            "% ", "# ", "> ", "$ ", "me@box:~$ ", "me@box ~ % ", "[me@box dir]$ ", "root@box:~# ", "\n% ",
        ],
        [false, true]
    )
    func whatAShellAsksWithStandsBeforeACommand(prompt: String, isTwice: Bool) {
        let line = prompt + "curl -H 'referer: http://b.example' http://a.example/"
        let found = URLText.pasted(in: line + "1" + (isTwice ? "\n\(line)2" : ""))
        #expect(found.urls == ["http://a.example/1"] + (isTwice ? ["http://a.example/2"] : []))
        #expect(found.note == "headers of the curl line are not taken")
        #expect(CopiedCommand(typed: Array(line)) == CopiedCommand(line))
    }

    @Test(arguments: [
        "http://a/1 # curl http://a/2", "http://a/1# curl http://a/2", "a/1 # curl http://a/2", "me@box:~$ ",
    ])
    func aURLIsNoPrompt(text: String) {
        #expect(CopiedCommand(text) == nil)
    }

    @Test(arguments: ["curly -H 'http://a.example'", "see curl -H 'http://a.example'", "curl", ""])
    func otherTextIsNone(text: String) {
        #expect(CopiedCommand(text) == nil)
    }

    @Test func pastedItsURLStandsInThePromptWithWhatIsNotTaken() {
        var driver = Driver(.full, 120, 36)
        #expect(driver.send(.paste(Self.chrome)) == [])
        #expect(driver.dashboard.state.prompt.editor.text == "https://a.example/pics/1.jpg?x=1")
        #expect(driver.text.contains("1 URL, headers and body of the curl line are not taken"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]) == ["submit 1 prompt", "saveHistory 1"])
    }

    @Test func pastedIntoALineItIsItsURL() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("ahttp://b.example/1 ")
        _ = driver.send(.paste(Self.chrome))
        #expect(driver.dashboard.state.prompt.editor.text == "http://b.example/1 https://a.example/pics/1.jpg?x=1")
    }

    /// Headers may be secrets, and the history is a file.
    @Test func typedItIsTakenAndOnlyItsURLIsKept() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("acurl -H 'accept: image/png, */*' -b 'a=http://b.example' https://a.example/[1-2]")
        #expect(driver.text.contains("2 URLs"), "\(driver.text)")
        #expect(driver.text.contains("headers of the curl line are not taken"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]) == ["submit 2 prompt", "saveHistory 1"])
        #expect(driver.dashboard.state.prompt.history.lines == ["https://a.example/[1-2]"])
        #expect(driver.dashboard.state.prompt.refusal == nil)
        #expect(driver.dashboard.state.tallies.last?.note == "headers of the curl line are not taken")
    }

    @Test func norIsMoreKeptBehindTheCommandThatAdds() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(":add curl -H 'Authorization: Bearer s' https://a.example/1")
        #expect(driver.press(keys: [.enter]).contains("saveHistory 1"))
        #expect(driver.dashboard.state.prompt.history.lines == [":add https://a.example/1"])
    }

    @Test func theSentenceAboutSeveralTellsItToo() {
        var found = PastedURLs()
        found.urls = ["http://a.example/1"]
        found.note = "body of the curl line is not taken"
        let tally = SubmissionTally(found)
        #expect(tally.sentence.hasSuffix("; body of the curl line is not taken"))
        #expect(tally.role == .wait)
    }
}

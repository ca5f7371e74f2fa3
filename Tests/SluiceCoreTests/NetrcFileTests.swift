import SluiceCore
import Testing

struct NetrcFileTests {
    private func parse(_ text: String) throws(NetrcFile.Problem) -> [String] {
        try NetrcFile.parse(text).map { "\($0.hosts.text) \($0.credentials.user)/\($0.credentials.password)" }
    }

    @Test func machinesLoginsAndPasswordsAreRead() throws {
        let text = """
            # mine
            machine a.example login anna password p#1
            machine b.example:8080
              login bert
              account x
              password "two words \\" and a quote"
            macdef init
            machine evil login x

            machine c.example password only
            default login anonymous password me@here
            """
        let expected = [
            "a.example anna/p#1", "b.example:8080 bert/two words \" and a quote", "* anonymous/me@here",
        ]

        #expect(try parse(text) == expected)
        #expect(try parse("") == [])
    }

    @Test(arguments: [
        "machine a login x password y # mine", "\u{FEFF}machine a login x password y",
        "  # one\nmachine a login x password y", "machine a # here\nlogin x password y",
        "macdef m\r\nmachine evil login z\r\n\r\nmachine a login x password y\r\n",
        "macdef m\n\nmachine a login x password y", "machine a login x password y\nmacdef m\nlogin z",
    ])
    func whatOtherProgramsReadIsRead(text: String) throws {
        #expect(try parse(text) == ["a x/y"])
    }

    @Test(arguments: [
        ("login x", 1), ("machine a login", 1), ("machine a\nlogin x\npasword y", 3), ("machine *.a login x", 1),
        ("machine a login \"x", 1),
    ])
    func aHalfReadFileIsAnError(text: String, line: Int) {
        let problem = #expect(throws: NetrcFile.Problem.self) { try parse(text) }

        #expect(problem?.line == line)
        #expect(problem?.message.contains("pasword") == false, "a misplaced word may be a password")
    }
}

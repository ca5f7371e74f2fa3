import SluiceCore
import Testing

struct ConfigurationFileTests {
    private let source = """
        maxActive = 4
        theme = "dark"
        [keys]
        abort = "x"
        [themes.mine]
        accent = 3
        [[headers]]
        host = "a.example"
        [[headers]]
        host = "b.example"
        """

    private func file(_ source: String) throws(ConfigurationError) -> ConfigurationFile {
        try ConfigurationFile(path: "config.toml", bytes: Array(source.utf8))
    }

    @Test func sectionsAreFoundByName() throws {
        let file = try file(source)

        #expect(try file.table("keys").map(\.key) == ["abort"])
        #expect(try file.table("themes.mine").map(\.line) == [6])
        #expect(try file.table("nothing") == [])
        #expect(try file.tables("headers").map(\.line) == [7, 9])
        #expect(try file.tables("trust").isEmpty)
    }

    @Test func aValueInPlaceOfASectionIsAnErrorWithItsLine() throws {
        let file = try file(source)

        #expect(throws: file.error(2, "theme is a section, [theme], not the text \"dark\"")) { try file.table("theme") }
        #expect(throws: ConfigurationError.self) { try file.tables("keys") }
    }

    @Test func errorsNameFileAndLineAndWhatIsAllowed() throws {
        let file = try file(source)
        let entry = try #require(file.entries.first)

        #expect(
            file.unknown(entry, allowed: ["maxActives", "order"]).message
                == "config.toml:1: there is no key maxActive; did you mean maxActives? allowed are maxActives order"
        )
        #expect(
            file.bad(entry, allowed: "fifo or lifo").message
                == "config.toml:1: maxActive can be fifo or lifo, not the number 4"
        )
        #expect(throws: ConfigurationError.self) { try self.file("a = 1\na = 2") }
    }
}

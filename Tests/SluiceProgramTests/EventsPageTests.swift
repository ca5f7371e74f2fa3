import SluiceCore
import SluiceTestSupport
import Testing

/// The page for programs tells of every event, warning and method, and of no other.
struct EventsPageTests {
    private static let page: String = {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let bytes = FileTree.contents(of: root + "/Sources/sluice/Sluice.docc/Events.md") ?? []
        return String(decoding: bytes, as: UTF8.self)
    }()

    /// The table under a heading: of each cell of a row the words in backquotes.
    private func table(_ heading: String) throws -> [[Set<String>]] {
        let section = try #require(Self.page.split(separator: "\n## ").first { $0.hasPrefix(heading + "\n") })
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { cell in Set(cell.matches(of: /`([^`]+)`/).map { String($0.1) }) }
        }
    }

    /// What a column says of each name in the first one, which has each once.
    private func column(_ index: Int, of heading: String) throws -> [String: Set<String>] {
        var words: [String: Set<String>] = [:]
        for row in try table(heading) {
            try #require(row.count > index, "\(row)")
            for name in row[0] {
                #expect(words[name] == nil, "\(name) is there twice")
                words[name] = row[index]
            }
        }
        return words
    }

    @Test func everyEventIsToldWithItsFields() throws {
        let told = try column(2, of: "Events")
        #expect(Set(told.keys) == Set(EventSchema.fields.keys))
        for (event, fields) in EventSchema.fields { #expect(told[event] == fields, "\(event)") }
    }

    @Test func everyFieldIsExplained() throws {
        let all = Set(EventSchema.fields.values.flatMap { $0 }.map { $0.replacing("?", with: "") })
        let explained = try table("Fields").reduce(into: Set<String>()) { $0.formUnion($1[0]) }
        #expect(explained == all)
        for code in DownloadError.Code.allCases { #expect(Self.page.contains("`\(code.rawValue)`"), "\(code)") }
    }

    @Test func everyWarningIsExplained() throws {
        let told = try column(1, of: "Warnings")
        #expect(Set(told.keys) == Set(WarningCode.allCases.filter { $0 != .other }.map(\.rawValue)))
    }

    @Test func everyMethodIsToldWithItsParameters() throws {
        let told = try column(2, of: "Methods")
        #expect(Set(told.keys) == ControlSchema.methods)
        for method in ControlMethod.allCases {
            let names = method.parameters.split { !$0.isLetter && !$0.isNumber && $0 != "?" }
            #expect(told[method.rawValue] == Set(names.map(String.init)), "\(method)")
        }
    }
}

import SluiceUI
import Testing

@testable import SluiceTerminal

struct CellTextTests {
    private func text(_ character: Character?, columns: Int = 1) -> (String, Bool) {
        let character = character.map { CellCharacter($0) } ?? .continuation
        let text = CellText(character, columns: columns) { value in
            switch value {
            case 0x80..<0xA0: -1
            case 0x300..<0x370, 0x200D, 0xFE0F: 0
            case 0x732B, 0x1F468...0x1F469: 2
            default: 1
            }
        }
        let scalars = text.scalars.indices.map { text.scalars[$0] }.prefix { $0 != 0 }.compactMap { UnicodeScalar($0) }
        return (String(String.UnicodeScalarView(scalars)), text.needsBlank)
    }

    @Test func charactersOfTheRightWidthStay() {
        #expect(text("a") == ("a", false))
        #expect(text("é") == ("é", false))
        #expect(text("猫", columns: 2) == ("猫", false))
        #expect(text("e\u{301}") == ("e\u{301}", false))
        #expect(text(nil) == (" ", false))
    }

    @Test(arguments: ["\u{1B}", "\n", "\u{7}", "\u{7F}", "\u{85}", "\u{9B}", "\r\n"] as [Character])
    func noControlCharacterReachesTheTerminal(character: Character) {
        #expect(text(character) == ("?", false))
    }

    @Test func charactersOfTheWrongWidthAreReplaced() {
        #expect(text("猫") == ("?", false))
        #expect(text("\u{301}") == ("?", false))
        #expect(text("\u{2764}\u{FE0F}", columns: 2) == ("\u{2764}\u{FE0F}", true))
    }

    @Test func joinedEmojiBecomeTheFirst() {
        #expect(text("\u{1F468}\u{200D}\u{1F469}", columns: 2) == ("\u{1F468}", false))
    }

    @Test func noMoreScalarsComeThanNcursesTakes() {
        let zalgo = Character("a" + String(repeating: "\u{301}", count: 40))
        #expect(text(zalgo).0.unicodeScalars.count == 5)
    }
}

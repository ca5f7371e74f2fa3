import SluiceUI
import Testing

@testable import SluiceTerminal

struct ColorPairsTests {
    private typealias Pair = ColorPairs.Pair

    @Test func equalColorsShareANumber() {
        var pairs = ColorPairs(colors: 256, limit: 65_536)
        #expect(pairs.number(of: Pair(foreground: 1, background: 2)) == .new(1))
        #expect(pairs.number(of: Pair(foreground: 2, background: 1)) == .new(2))
        #expect(pairs.number(of: Pair(foreground: 1, background: 2)) == .known(1))
        #expect(pairs.number(of: Pair(foreground: -1, background: -1)) == .known(0))
    }

    @Test func aFullTableSaysSoUntilItIsReset() {
        var pairs = ColorPairs(colors: 256, limit: 3)
        #expect(pairs.number(of: Pair(foreground: 1, background: 1)) == .new(1))
        #expect(pairs.number(of: Pair(foreground: 2, background: 1)) == .new(2))
        #expect(pairs.number(of: Pair(foreground: 3, background: 1)) == .full)
        #expect(pairs.number(of: Pair(foreground: 2, background: 1)) == .known(2))
        pairs.reset()
        #expect(pairs.number(of: Pair(foreground: 3, background: 1)) == .new(1))
    }

    @Test(
        arguments: [
            (256, 208, 17, 208, 17, false), (256, -1, -1, -1, -1, false), (8, 1, 2, 1, 2, false),
            (8, 9, 10, 1, 2, true),
            (8, 208, 17, -1, -1, false), (16, 9, 10, 9, 10, false), (0, 9, 10, -1, -1, false),
        ] as [(Int32, Int32, Int32, Int32, Int32, Bool)]
    )
    func colorsBecomeWhatTheTerminalHas(
        colors: Int32,
        foreground: Int32,
        background: Int32,
        shownForeground: Int32,
        shownBackground: Int32,
        isBold: Bool
    ) {
        let pairs = ColorPairs(colors: colors, limit: 64)
        let resolved = pairs.resolve(Style(foreground: foreground, background: background))
        #expect(resolved.pair == Pair(foreground: shownForeground, background: shownBackground))
        #expect(resolved.isBold == isBold)
    }
}

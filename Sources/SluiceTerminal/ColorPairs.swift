internal import SluiceUI

/// Numbers for combinations of colours, as ncurses wants them.
///
/// Pure; whoever owns the screen defines a pair when it is told of a new one. When all
/// numbers are taken the table starts anew, and everything that is shown must be drawn again.
struct ColorPairs {
    struct Pair: Hashable {
        var foreground: Int32
        var background: Int32
    }

    enum Answer: Equatable {
        /// Defined already.
        case known(Int32)
        /// To be defined before it is used.
        case new(Int32)
        /// None left.
        case full
    }

    /// The terminal's colours; fewer than 8 mean none.
    let colors: Int32
    /// Pair numbers, `0` included, which is never given out for a colour.
    let limit: Int32
    private var numbers: [Pair: Int32] = [:]

    init(colors: Int32, limit: Int32) { (self.colors, self.limit) = (colors, limit) }

    /// What stands for a style's colours on this terminal.
    ///
    /// - Returns: The pair, and whether bold must stand for a bright foreground.
    func resolve(_ style: Style) -> (pair: Pair, isBold: Bool) {
        guard colors >= 8 else { return (Pair(foreground: -1, background: -1), false) }
        let isBright = colors == 8 && (8..<16).contains(style.foreground)
        return (Pair(foreground: nearest(style.foreground), background: nearest(style.background)), isBright)
    }

    mutating func number(of pair: Pair) -> Answer {
        if pair == Pair(foreground: -1, background: -1) { return .known(0) }
        if let number = numbers[pair] { return .known(number) }
        let number = Int32(numbers.count + 1)
        guard number < limit else { return .full }
        numbers[pair] = number
        return .new(number)
    }

    mutating func reset() { numbers.removeAll(keepingCapacity: true) }

    private func nearest(_ color: Int32) -> Int32 {
        if color < 0 || color < colors { return max(-1, color) }
        return colors == 8 && color < 16 ? color - 8 : -1
    }
}

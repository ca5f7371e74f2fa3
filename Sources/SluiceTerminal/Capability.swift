internal import CNcurses
internal import SluiceUI

/// Reads the description of the open terminal.
enum Capability {
    /// The string `name`, with its padding; empty where the terminal has none.
    static func bytes(_ name: String) -> [UInt8] {
        guard let text = unsafe sluice_capability(name) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The sequences that the terminal sends for keys, as far as they are escape sequences.
    static func keys() -> [[UInt8]: Key] {
        let names: [(String, Key)] =
            [
                ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
                ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete),
                ("kcbt", .backTab), ("kent", .enter), ("kLFT5", .controlLeft), ("kRIT5", .controlRight),
            ] + (1...12).map { ("kf\($0)", .function($0)) }
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in names {
            let sequence = bytes(name)
            let isSequence = sequence.count > 2 && sequence[0] == 0x1B && Array("[O".utf8).contains(sequence[1])
            if isSequence { keys[sequence] = key }
        }
        return keys
    }
}

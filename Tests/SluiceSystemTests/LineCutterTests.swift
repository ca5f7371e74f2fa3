import SluiceSystem
import Testing

struct LineCutterTests {
    /// - Returns: The lines of some bytes that are read in pieces of a size.
    private func lines(_ bytes: [UInt8], piece: Int) -> [[UInt8]] {
        var cutter = LineCutter()
        var lines: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            lines += cutter.add(bytes[start..<min(start + piece, bytes.count)]).map(Array.init)
        }
        return lines + (cutter.end().map { [Array($0)] } ?? [])
    }

    @Test(arguments: 1...12)
    func linesAreTheSameInPiecesOfEverySize(piece: Int) {
        #expect(lines(Array("a\n\nbcd\r\ne".utf8), piece: piece) == ["a", "", "bcd\r", "e"].map { Array($0.utf8) })
        #expect(lines(Array("a\nb\n".utf8), piece: piece) == ["a", "b"].map { Array($0.utf8) })
        #expect(lines([], piece: piece) == [])
    }

    @Test(arguments: [65_536, 10_000_000], [0, 1, 5_000_000])
    func ofALineThatIsTooLongItsBeginningIsHeld(piece: Int, excess: Int) {
        let long = [UInt8](repeating: 120, count: LineCutter.limit + excess)
        let found = lines(long + [10] + Array("next\nlast".utf8), piece: piece)
        #expect(found.map(\.count) == [LineCutter.limit + min(excess, 1), 4, 4])
        #expect(lines(long, piece: piece).map(\.count) == [LineCutter.limit + min(excess, 1)])
    }
}

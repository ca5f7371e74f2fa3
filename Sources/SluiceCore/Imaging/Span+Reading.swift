extension Span<UInt8> {
    /// Whether the bytes at `offset` are those of `text`; `false` where the span ends too early.
    ///
    /// Asked for a dozen formats for every body, most of which are none of them: the first byte nearly always tells.
    func matches(_ text: StaticString, at offset: Int = 0) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, count - offset >= length else { return false }
        for index in 0..<length where unsafe self[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    /// Like ``matches(_:at:)`` where letters of either case are equal; `text` is in lower case.
    func matchesIgnoringCase(_ text: String, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= text.utf8.count else { return false }
        for (index, expected) in text.utf8.enumerated() {
            let byte = self[offset + index]
            guard expected == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) else { return false }
        }
        return true
    }

    /// A number of two bytes, or `nil` where the span ends too early; so are those below.
    func big16(at offset: Int) -> Int? { number(at: offset, bytes: 2)?.byteReversed(2) }
    func big32(at offset: Int) -> Int? { number(at: offset, bytes: 4)?.byteReversed(4) }
    func little16(at offset: Int) -> Int? { number(at: offset, bytes: 2) }
    func little24(at offset: Int) -> Int? { number(at: offset, bytes: 3) }
    func little32(at offset: Int) -> Int? { number(at: offset, bytes: 4) }

    private func number(at offset: Int, bytes: Int) -> Int? {
        guard offset >= 0, count - offset >= bytes else { return nil }
        var value = 0
        for index in 0..<bytes { value |= Int(self[offset + index]) << (8 * index) }
        return value
    }
}

extension Int {
    fileprivate func byteReversed(_ bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 << 8 | self >> (8 * $1) & 0xFF }
    }
}

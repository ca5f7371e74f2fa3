extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = self[start...].lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return String(self[start..<end])
    }
}

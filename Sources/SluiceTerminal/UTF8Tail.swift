/// Tells how much of a UTF-8 text has not come yet.
enum UTF8Tail {
    /// The number of bytes at the end, `0...3`, that start a character without finishing it.
    static func unfinishedCount(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            switch bytes[bytes.count - back] {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return back < 2 ? back : 0
            case 0xE0...0xEF: return back < 3 ? back : 0
            case 0xF0...0xF4: return back < 4 ? back : 0
            default: return 0
            }
        }
        return 0
    }
}

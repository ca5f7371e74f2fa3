internal import SluiceCore

/// The blocks of a GIF file, without their pixels: how many frames, and whether the file is whole.
struct GIFStructure {
    private(set) var frames = 0
    /// Whether every block is there, the closing one included.
    private(set) var isComplete = false

    /// Follows the lengths from block to block.
    ///
    /// - Complexity: O(blocks), and a block is at least every 256th byte.
    init(_ bytes: Span<UInt8>) {
        guard bytes.count >= 13 else { return }
        var offset = 13 + ImageScan.tableSize(bytes[10])
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x21:
                offset = Self.afterSubBlocks(bytes, offset + 2)
            case 0x2C:
                guard offset + 10 < bytes.count else { return }
                offset = Self.afterSubBlocks(bytes, offset + 11 + ImageScan.tableSize(bytes[offset + 9]))
                if offset <= bytes.count { frames += 1 }
            case 0x3B:
                isComplete = true
                return
            default:
                return
            }
        }
    }

    /// Past the empty block that ends a row of them; past the end of the bytes if it is missing.
    private static func afterSubBlocks(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var offset = start
        while offset < bytes.count {
            let size = Int(bytes[offset])
            offset += 1 + size
            if size == 0 { return offset }
        }
        return bytes.count + 1
    }
}

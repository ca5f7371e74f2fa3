/// Empty arrays of one capacity that are used again and again.
///
/// New ones would go back to the system with each body, since another thread frees them.
struct SpareBlocks {
    /// In bytes.
    private let capacity: Int
    /// More would be memory for nothing.
    private let limit: Int
    private var blocks: [[UInt8]] = []

    init(capacity: Int, limit: Int) { (self.capacity, self.limit) = (capacity, limit) }

    /// An empty array, recycled if possible.
    mutating func take() -> [UInt8] {
        if let block = blocks.popLast() { return block }
        var block: [UInt8] = []
        block.reserveCapacity(capacity)
        return block
    }

    /// Takes an array back, if there is room for it; leaves an empty one.
    mutating func put(_ block: inout [UInt8]) {
        block.removeAll(keepingCapacity: true)
        if blocks.count < limit {
            // Swapped: a second reference, however short, would make the next user copy.
            blocks.append([])
            swap(&blocks[blocks.count - 1], &block)
        }
        block = []
    }
}

/// Values by transfer, for those that are under way.
///
/// There are no more of them than slots, so looking through their numbers costs less than
/// hashing one would, and a transfer is looked up many times. In no order.
///
/// - Complexity: Every operation costs O(transfers).
@frozen
public struct TransferMap<Value> {
    @usableFromInline var numbers: ContiguousArray<Int> = []
    @usableFromInline var contents: ContiguousArray<Value> = []

    @inlinable
    public init() {}

    @inlinable public var count: Int { numbers.count }
    @inlinable public var isEmpty: Bool { numbers.isEmpty }
    @inlinable public var values: ContiguousArray<Value> { contents }

    /// The value of a transfer; setting `nil` forgets it.
    @inlinable
    public subscript(transfer: TransferID) -> Value? {
        get { place(of: transfer).map { contents[$0] } }
        set {
            switch (place(of: transfer), newValue) {
            case (let place?, let value?): contents[place] = value
            case (let place?, nil): _ = remove(at: place)
            case (nil, let value?):
                numbers.append(transfer.rawValue)
                contents.append(value)
            case (nil, nil): break
            }
        }
    }

    /// - Returns: The value that it had.
    @inlinable
    public mutating func removeValue(forKey transfer: TransferID) -> Value? {
        place(of: transfer).map { remove(at: $0) }
    }

    @inlinable
    public mutating func removeAll() { self = TransferMap() }

    @inlinable
    func place(of transfer: TransferID) -> Int? {
        // The latest are the likeliest.
        var place = numbers.count - 1
        while place >= 0, numbers[place] != transfer.rawValue { place -= 1 }
        return place < 0 ? nil : place
    }

    @inlinable
    mutating func remove(at place: Int) -> Value {
        let (lastNumber, last) = (numbers.removeLast(), contents.removeLast())
        guard place < numbers.count else { return last }
        defer { (numbers[place], contents[place]) = (lastNumber, last) }
        return contents[place]
    }
}

extension TransferMap: Sequence {
    /// Goes through the transfers as they were when it was made.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let map: TransferMap
        @usableFromInline var place = 0

        @inlinable
        init(_ map: TransferMap) { self.map = map }

        @inlinable
        public mutating func next() -> (key: TransferID, value: Value)? {
            guard place < map.numbers.count else { return nil }
            defer { place += 1 }
            return (TransferID(map.numbers[place]), map.contents[place])
        }
    }

    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }
}

extension TransferMap: Sendable where Value: Sendable {}

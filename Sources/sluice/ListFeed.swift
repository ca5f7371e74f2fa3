internal import SluiceCore

/// The requests of several lists, one list after the other.
struct ListFeed {
    private var lists: ArraySlice<ListReader>
    /// Whether one of them could not be read to its end.
    private(set) var hasFailed = false

    init(_ lists: [ListReader]) { self.lists = lists[...] }

    /// Whether all of them were read.
    var isEmpty: Bool { lists.isEmpty }

    /// Takes the next requests; of a list that can't be read any further, says so and goes on with the one after it.
    ///
    /// - Returns: Possibly none; `nil` at the end of a list, and behind the last one.
    mutating func next() -> [DownloadRequest]? {
        guard let list = lists.first else { return nil }
        do {
            if let piece = try list.next() { return piece }
        } catch {
            fail(error)
        }
        lists.removeFirst()
        return nil
    }

    /// Says that a list could not be read to its end.
    mutating func fail(_ error: any Error) {
        hasFailed = true
        let message = (error as? ListFailure)?.message ?? "\(error)"
        note("\(message); what was read of it is downloaded")
    }

    /// Leaves the rest unread.
    mutating func stop() { lists = [] }
}

/// Which hosts have all the slots that they may have, and the queued tasks that wait for that.
///
/// A task is set aside when its turn comes and its host is full, so that the next ones are
/// found at once; one is let go for each slot that its host gives back. Costs nothing while
/// there is no limit, but a count for each host at work. Knows rows, transfers and names only.
struct HostShares: Sendable {
    private struct Host: Sendable {
        var name: String
        var active = 0
    }

    /// Slots of one host; 0 means no limit.
    var limit = 0

    /// By number; `nil` where a number is free.
    private var hosts: ContiguousArray<Host?> = []
    private var numbers: [String: Int] = [:]
    /// The host that was looked up last, which the next one often is.
    private var last: (name: String, number: Int)?
    private var transfers = TransferMap<Int>()
    /// The tree of a host's number has its rows that are set aside, in the order of the queue.
    private var aside = RowForest()
    private var freeTrees: [Int] = []

    /// Rows that are set aside.
    private(set) var asideCount = 0

    mutating func started(_ transfer: TransferID, host: String) {
        let number = number(of: host)
        hosts[number]?.active += 1
        transfers[transfer] = number
    }

    /// - Returns: The row that may go on in its place.
    mutating func ended(_ transfer: TransferID) -> Int32? {
        guard let number = transfers.removeValue(forKey: transfer) else { return nil }
        hosts[number]?.active -= 1
        defer { forgetIfIdle(number) }
        return firstWithRoom(number)
    }

    func isFull(_ host: String) -> Bool {
        guard limit > 0, !host.isEmpty, let number = numbers[host], let host = hosts[number] else { return false }
        return host.active >= limit
    }

    func isAside(_ row: Int32) -> Bool { asideCount > 0 && aside.contains(row) }

    /// Sets a queued row aside at its place among those of its host.
    ///
    /// - Parameters:
    ///   - row: Not set aside yet.
    ///   - host: Whose it is.
    ///   - isBefore: Whether one row stands before another in the queue.
    /// - Complexity: O(log n) where it stands behind or before all others of its host, as most do; else O(log² n).
    mutating func setAside(_ row: Int32, host: String, isBefore: (Int32, Int32) -> Bool) {
        aside.attach(row, tree: number(of: host), isBefore: isBefore)
        asideCount += 1
    }

    /// Lets a row go; to be called for each that leaves the queue or changes its place in it.
    mutating func letGo(_ row: Int32) {
        guard isAside(row) else { return }
        let (tree, _) = aside.place(of: row)
        aside.detach(row)
        asideCount -= 1
        forgetIfIdle(tree)
    }

    /// Gives back the storage of rows that are no more, none of which is set aside.
    mutating func keepRows(below rowCount: Int) { aside.keepRows(below: rowCount) }

    /// The first row of a host that is set aside though the host has room.
    func firstWithRoom(host: String) -> Int32? { numbers[host].flatMap { firstWithRoom($0) } }

    /// The rows that may go on after the limit changed, as many as each host has room for.
    func allWithRoom() -> [Int32] {
        hosts.enumerated().flatMap { number, host -> [Int32] in
            guard let host else { return [] }
            let room = max(0, limit - host.active)
            return (0..<min(room, aside.count(inTree: number))).map { aside.row(at: $0, inTree: number) }
        }
    }

    private func firstWithRoom(_ number: Int) -> Int32? {
        guard asideCount > 0, let host = hosts[number], limit == 0 || host.active < limit else { return nil }
        return aside.first(inTree: number)
    }

    private mutating func number(of name: String) -> Int {
        if let last, last.name == name { return last.number }
        let number = numbers[name] ?? add(name)
        last = (name, number)
        return number
    }

    private mutating func add(_ name: String) -> Int {
        let number = freeTrees.popLast() ?? aside.addTree()
        if number == hosts.count { hosts.append(nil) }
        hosts[number] = Host(name: name)
        numbers[name] = number
        return number
    }

    private mutating func forgetIfIdle(_ number: Int) {
        guard let host = hosts[number], host.active == 0, aside.count(inTree: number) == 0 else { return }
        hosts[number] = nil
        numbers[host.name] = nil
        if last?.number == number { last = nil }
        freeTrees.append(number)
    }
}

import SluiceCore

/// Which responses go where the limit leaves no room for another.
extension ResponseStore {
    /// Takes out what was used least recently, until so many bytes fit.
    func makeRoom(for size: Int) -> [EvictedResponse] {
        guard capacity > 0 else { return [] }
        var usage = figures.usage
        var evicted: [EvictedResponse] = []
        while usage + size > capacity {
            let (next, spared) = nextStored()
            // Without a row left, only what waits takes room, whatever was there before somebody cleared the index.
            if next == nil, spared == nil { usage = min(usage, pending.addedBytes) }
            guard usage + size > capacity, let victim = next ?? pending.firstAdded(used: used) ?? spared else { break }
            // Another process may have stored it since the sums were read.
            usage = max(0, usage - victim.size)
            remove(victim)
            evicted.append(EvictedResponse(url: victim.url, bytes: victim.size, why: .leastRecent, usage: usage))
        }
        return evicted
    }

    /// The least recently used response of the index that is still there; if all are in use just now, one of them.
    private func nextStored() -> (next: StoredResponse?, spared: StoredResponse?) {
        var spared: StoredResponse?
        // Twice: responses that were used since may stand before others, whose turn is only after them.
        for _ in 0..<2 {
            while let row = nextVictim() {
                let id = ResponseID(row.id)
                var victim = StoredResponse(url: row.url, status: 200, fields: [], requestTime: 0, responseTime: 0)
                (victim.id, victim.size) = (id, row.size)
                guard let time = used[id], time > row.used else { return (victim, nil) }
                if spared.flatMap({ used[$0.id] }).map({ time < $0 }) ?? true { spared = victim }
            }
            victims.restart()
        }
        return (nil, spared)
    }

    private func nextVictim() -> ResponseIndex.Row? {
        victims.next(from: index, now: clock()) { pending[$0]?.isRemoved == true }
    }
}

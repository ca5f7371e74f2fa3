import SluiceCore

/// Decides which transfers must stop reading so that all together keep to a rate.
///
/// A bucket of tokens, one a byte, dealt out to the transfers in equal shares every
/// ``interval``. A chunk that arrived is always taken, into debt if need be; a transfer
/// without tokens stops until its share is positive again. What a transfer doesn't use
/// goes to those that wait, so one fast server gets what a slow one leaves. It never
/// sleeps nor reads the clock.
struct RateLimiter {
    private struct Share {
        let transfer: TransferID
        /// Bytes that may be read; negative after a chunk that was larger than the rest.
        var tokens = 0
        var isStopped = false
        /// Of this transfer alone; 0 means no limit.
        var rate = 0
        /// Bytes that it may read of its own rate.
        var own = 0.0
    }

    /// Between two deals.
    static let interval: Duration = .milliseconds(25)

    /// Bytes a second; 0 means no limit.
    private(set) var rate = 0
    private var shares: [Share] = []
    private var dealtAt = Timestamp(nanoseconds: 0)
    /// The part of a byte that the last deal left over.
    private var fraction = 0.0
    /// Who is served first with what doesn't divide evenly.
    private var turn = 0

    private var ownCount = 0

    /// Whether any limit is set; else nothing need be counted.
    var isActive: Bool { rate > 0 || ownCount > 0 }

    /// When to call ``deal(now:)`` at the latest; `nil` if nobody waits.
    var deadline: Timestamp? {
        guard isActive, shares.contains(where: \.isStopped) else { return nil }
        return dealtAt + Self.interval
    }

    /// Changes the rate for running transfers too.
    ///
    /// - Returns: The transfers that may read again, because there is no limit any more.
    mutating func setRate(_ newRate: Int, now: Timestamp) -> [TransferID] {
        guard newRate != rate else { return [] }
        (rate, dealtAt, fraction) = (newRate, now, 0)
        for index in shares.indices where rate == 0 || shares[index].tokens > 0 { shares[index].tokens = 0 }
        return rate == 0 ? resumeStopped() : []
    }

    /// Limits one transfer beside all.
    ///
    /// - Returns: The transfers that may read again.
    mutating func setRate(_ newRate: Int, of transfer: TransferID, now: Timestamp) -> [TransferID] {
        guard let index = shares.firstIndex(where: { $0.transfer == transfer }) else { return [] }
        if !isActive { dealtAt = now }
        (shares[index].rate, shares[index].own) = (newRate, 0)
        ownCount = shares.count { $0.rate > 0 }
        return newRate == 0 ? resumeStopped() : []
    }

    mutating func add(_ transfer: TransferID) { shares.append(Share(transfer: transfer)) }

    mutating func remove(_ transfer: TransferID) {
        shares.removeAll { $0.transfer == transfer }
        if ownCount > 0 { ownCount = shares.count { $0.rate > 0 } }
    }

    /// Counts a chunk that was taken.
    ///
    /// - Returns: Whether the transfer must stop reading until ``deal(now:)`` names it.
    mutating func mustStop(_ transfer: TransferID, afterTaking byteCount: Int) -> Bool {
        guard isActive, let index = shares.firstIndex(where: { $0.transfer == transfer }) else { return false }
        if rate > 0 { shares[index].tokens -= byteCount }
        if shares[index].rate > 0 { shares[index].own -= Double(byteCount) }
        shares[index].isStopped = !mayRead(shares[index])
        return shares[index].isStopped
    }

    /// Deals out what the time since the last deal allows.
    ///
    /// - Returns: The stopped transfers that may read again.
    mutating func deal(now: Timestamp) -> [TransferID] {
        guard isActive, now - dealtAt >= Self.interval else { return [] }
        // A loop that slept for long has no claim on the whole time.
        let seconds = min((now - dealtAt).seconds, 1)
        dealtAt = now
        if rate > 0 {
            let due = Double(rate) * seconds + fraction
            fraction = due - due.rounded(.down)
            dealOut(Int(due))
        }
        for index in shares.indices where shares[index].rate > 0 {
            let ownRate = Double(shares[index].rate)
            shares[index].own = min(shares[index].own + ownRate * seconds, max(1, ownRate * 2 * Self.interval.seconds))
        }
        return resumeStopped()
    }

    private func mayRead(_ share: Share) -> Bool {
        (rate == 0 || share.tokens > 0) && (share.rate == 0 || share.own > 0)
    }

    private mutating func dealOut(_ amount: Int) {
        var left = amount
        while left > 0 {
            let open = shares.indices.filter { shares[$0].tokens < most(shares[$0]) }
            if open.isEmpty { return }
            turn += 1
            let each = max(1, left / open.count)
            for place in open.indices where left > 0 {
                let index = open[(place + turn) % open.count]
                let given = min(each, most(shares[index]) - shares[index].tokens, left)
                shares[index].tokens += given
                left -= given
            }
        }
    }

    /// The most that a share may hold: a transfer that doesn't use its share saves up only little.
    private func most(_ share: Share) -> Int {
        let deals = max(2, Int(Double(rate) * 2 * Self.interval.seconds))
        return share.isStopped ? deals : max(1, deals / shares.count)
    }

    private mutating func resumeStopped() -> [TransferID] {
        var resumed: [TransferID] = []
        for index in shares.indices where shares[index].isStopped && mayRead(shares[index]) {
            shares[index].isStopped = false
            resumed.append(shares[index].transfer)
        }
        return resumed
    }
}

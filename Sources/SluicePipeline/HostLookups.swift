internal import SluiceCore

/// The hosts that are being looked up, each once.
///
/// On threads of their own, since they only wait: a resolver that does not answer holds up no decoding.
struct HostLookups {
    private static let mostThreads = 16

    private var pool: BlockingPool?
    /// Transfers that failed for want of an address, by host.
    private var waiting: [String: [(transfer: TransferID, error: DownloadError)]] = [:]

    /// Lets a transfer wait for what is found out of a host.
    ///
    /// - Parameters:
    ///   - transfer: What failed.
    ///   - error: How.
    ///   - host: Whom it found no address for.
    ///   - lookUp: Looks it up, unless somebody does already; may block.
    mutating func add(
        _ transfer: TransferID,
        _ error: DownloadError,
        for host: String,
        _ lookUp: @escaping @Sendable () -> Void
    ) {
        waiting[host, default: []].append((transfer, error))
        guard waiting[host]?.count == 1 else { return }
        let pool = pool ?? BlockingPool(threads: Self.mostThreads)
        self.pool = pool
        pool.add(.normal, lookUp)
    }

    /// Takes those that waited for a host.
    mutating func take(_ host: String) -> [(transfer: TransferID, error: DownloadError)] {
        waiting.removeValue(forKey: host) ?? []
    }

    /// Lets the threads end; nobody waits for what they find.
    mutating func close() {
        pool?.close()
        (pool, waiting) = (nil, [:])
    }
}

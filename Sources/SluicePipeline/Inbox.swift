internal import SluiceCore

/// What other threads sent to the pipeline since its last turn, each kind in order.
struct Inbox: Sendable {
    enum Order: Sendable {
        case command(PipelineCommand)
        case submit(DownloadRequest, @Sendable (RequestOutcome) -> Void)
    }

    /// What was asked for, in the order sent.
    var orders: [Order] = []
    var decoded: [(transfer: TransferID, result: Result<DecodedImage, DownloadError>)] = []
    var copied: [(task: TaskID, result: Result<SavedFile, DownloadError>)] = []
    var finishes = false

    var isEmpty: Bool { orders.isEmpty && decoded.isEmpty && copied.isEmpty && !finishes }
}

/// Commands that keep their order, served in slices so that a long list never holds up a transfer or a key.
struct CommandBacklog {
    enum Item {
        case command(PipelineCommand)
        /// A list of which some requests were taken.
        case list([DownloadRequest], next: Int)
        case tracked(DownloadRequest, @Sendable (RequestOutcome) -> Void)
    }

    private var items: ContiguousArray<Item> = []
    private var head = 0
    /// Requests that are still to be submitted.
    private(set) var requestCount = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ item: Item) {
        switch item {
        case .list(let requests, let next): requestCount += requests.count - next
        case .tracked: requestCount += 1
        case .command: break
        }
        items.append(item)
    }

    /// The completions of requests that were never submitted; the backlog is empty afterwards.
    mutating func removeAll() -> [@Sendable (RequestOutcome) -> Void] {
        defer { self = CommandBacklog() }
        return items[head...].compactMap { item in
            if case .tracked(_, let completion) = item { completion } else { nil }
        }
    }

    /// Takes the next command or request.
    mutating func next() -> Step? {
        guard !isEmpty else { return nil }
        switch items[head] {
        case .command(let command):
            drop()
            return .command(command)
        case .tracked(let request, let completion):
            requestCount -= 1
            drop()
            return .submit(request, completion)
        case .list(let requests, let next):
            guard next < requests.count else {
                drop()
                return self.next()
            }
            requestCount -= 1
            items[head] = .list(requests, next: next + 1)
            return .submit(requests[next], nil)
        }
    }

    enum Step {
        case command(PipelineCommand)
        case submit(DownloadRequest, (@Sendable (RequestOutcome) -> Void)?)
    }

    private mutating func drop() {
        // Releases the list at once: it may be as large as what it queued.
        items[head] = .list([], next: 0)
        head += 1
        if head == items.count { (items, head) = ([], 0) }
    }
}

/// The requests of the tasks that failed last, so that they can be tried again.
struct RecentRequests {
    private static let limit = 10_000
    private var requests: [TaskID: (DownloadRequest, Credentials?)] = [:]
    private var order: ContiguousArray<TaskID> = []
    private var head = 0

    /// - Parameters:
    ///   - request: As it was submitted, but for the credentials in its URL.
    ///   - credentials: What stood in its URL.
    ///   - task: The task that failed.
    mutating func add(_ request: DownloadRequest, _ credentials: Credentials?, task: TaskID) {
        requests[task] = (request, credentials)
        order.append(task)
        while order.count - head > Self.limit {
            requests[order[head]] = nil
            head += 1
        }
        if head > Self.limit {
            order.removeFirst(head)
            head = 0
        }
    }

    mutating func take(_ task: TaskID) -> (DownloadRequest, Credentials?)? { requests.removeValue(forKey: task) }
}

/// A batch of prefetched URLs and how far it is.
struct PrefetchBatch {
    var total: Int
    var finished = 0
    /// Those that a cache held.
    var skipped = 0
    var receipts: Set<ReceiptID> = []
    var isEnded: Bool { finished + skipped >= total }
}

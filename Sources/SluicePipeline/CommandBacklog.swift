internal import SluiceCore

/// Commands that keep their order, served in slices so that a long list never holds up a transfer or a key.
struct CommandBacklog {
    enum Item {
        case command(PipelineCommand)
        /// A piece of a list.
        case list([DownloadRequest])
        case tracked(DownloadRequest, RequestHandle)
        case query(PipelineQuery, @Sendable (PipelineReply) -> Void)
        /// A list whose answers are collected.
        case answered([DownloadRequest], [Submission], @Sendable (PipelineReply) -> Void)
        /// What is known already, and told when all before it is done.
        case answer(PipelineAnswer, @Sendable (PipelineReply) -> Void)
    }

    /// Requests of a list that are kept as one piece: what was submitted gives its memory back while the rest waits.
    ///
    /// More than a MiB, so that the system gets it back: smaller blocks stay with the allocator, and a long list's tasks,
    /// whose tables are large, would not use them.
    private static let pieceLength = 16_384

    private var items = Queue<Item>()
    /// The piece before all items, of which some requests were taken.
    private var piece: [DownloadRequest] = []
    private var takenOfPiece = 0
    /// Requests that are still to be submitted, without those that nobody misses at the end.
    private(set) var requestCount = 0

    var isEmpty: Bool { items.isEmpty && piece.isEmpty }

    /// Whether there is nothing that somebody misses at the end: pictures of the screen, and what is loaded ahead.
    var isDispensable: Bool {
        requestCount == 0
            && items.allSatisfy { item in
                switch item {
                case .list: true
                case .tracked(let request, let handle): request.source.isView || handle.isOver
                case .command, .query, .answered, .answer: false
                }
            }
    }

    /// Whether programs wait for answers.
    var hasCalls: Bool {
        items.contains { item in
            switch item {
            case .query, .answered, .answer: true
            case .command, .list, .tracked: false
            }
        }
    }

    /// Adds a list behind everything else, in pieces.
    ///
    /// Copies it: whoever hands it over lets go of it soon, and the whole of it is never there beside its tasks.
    mutating func append(_ requests: [DownloadRequest]) {
        for start in stride(from: 0, to: requests.count, by: Self.pieceLength) {
            let end = min(start + Self.pieceLength, requests.count)
            append(.list(Array(requests[start..<end])))
        }
    }

    /// Puts a list before everything else; only for the step that was taken last, whose list it is.
    ///
    /// - Parameters:
    ///   - requests: In order.
    ///   - item: What stands right behind them; `nil` for nothing.
    mutating func insertFirst(_ requests: [DownloadRequest], then item: Item? = nil) {
        precondition(piece.isEmpty, "a step is taken when the list before it is")
        if item == nil, requests.count <= Self.pieceLength {
            requestCount += requests.count { $0.source.isKept }
            piece = requests
            return
        }
        var later = items
        items = Queue()
        append(requests)
        if let item { append(item) }
        while let item = later.popFirst() { items.append(item) }
    }

    mutating func append(_ item: Item) {
        switch item {
        case .list(let requests): requestCount += requests.count { $0.source.isKept }
        case .tracked(_, let handle): if handle.isKept { requestCount += 1 }
        case .answered(let requests, let answers, _): requestCount += requests.count - answers.count
        case .command, .query, .answer: break
        }
        items.append(item)
    }

    /// Counts a request no more that waits here and is about to be taken back; it keeps its place until its turn.
    mutating func withdraw(_ handle: RequestHandle) {
        if handle.isKept { requestCount -= 1 }
    }

    /// Who waits for requests that were never submitted, and for answers; the backlog is empty afterwards.
    mutating func removeAll() -> (
        handles: [RequestHandle], replies: [@Sendable (PipelineReply) -> Void]
    ) {
        defer { self = CommandBacklog() }
        return (
            items.compactMap { item in
                if case .tracked(_, let handle) = item { handle } else { nil }
            },
            items.compactMap { item in
                switch item {
                case .query(_, let reply), .answered(_, _, let reply), .answer(_, let reply): reply
                case .command, .list, .tracked: nil
                }
            }
        )
    }

    /// Takes the next command or request.
    mutating func next() -> Step? {
        if !piece.isEmpty { return .submit(takeOfPiece(), nil) }
        guard let item = items.first else { return nil }
        switch item {
        case .command(let command):
            drop()
            return .command(command)
        case .tracked(let request, let handle):
            if handle.isKept, !handle.isOver { requestCount -= 1 }
            drop()
            return .submit(request, handle)
        case .list(let requests):
            piece = requests
            drop()
            return next()
        case .query(let query, let reply):
            drop()
            return .query(query, reply)
        case .answered(let requests, let answers, let reply):
            guard answers.count < requests.count else {
                drop()
                return .answer(.submissions(answers), reply)
            }
            requestCount -= 1
            return .answered(requests[answers.count])
        case .answer(let answer, let reply):
            drop()
            return .answer(answer, reply)
        }
    }

    enum Step {
        case command(PipelineCommand)
        /// Nothing is to be done for a handle that is over.
        case submit(DownloadRequest, RequestHandle?)
        case query(PipelineQuery, @Sendable (PipelineReply) -> Void)
        /// To be submitted, and its answer given to ``collect(_:)``.
        case answered(DownloadRequest)
        case answer(PipelineAnswer, @Sendable (PipelineReply) -> Void)
    }

    /// Takes what the request of ``Step/answered(_:)`` came to.
    mutating func collect(_ answer: Submission) {
        guard case .answered(let requests, var answers, let reply) = items[0] else {
            preconditionFailure("an answer belongs to the list that is being submitted")
        }
        // Not two owners at once: the list would be copied for every answer.
        items[0] = .list([])
        answers.append(answer)
        items[0] = .answered(requests, answers, reply)
    }

    /// - Precondition: There is one.
    private mutating func takeOfPiece() -> DownloadRequest {
        let request = piece[takenOfPiece]
        takenOfPiece += 1
        if request.source.isKept { requestCount -= 1 }
        if takenOfPiece == piece.count { (piece, takenOfPiece) = ([], 0) }
        return request
    }

    private mutating func drop() { _ = items.popFirst() }
}

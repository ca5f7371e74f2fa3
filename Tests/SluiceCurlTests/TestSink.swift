import SluiceCore

/// Keeps a body, or does what a test wants it to do.
final class TestSink: BodySink {
    enum Behaviour: Sendable {
        case collect
        /// Takes everything, and keeps nothing.
        case discard
        /// Keeps what comes, and wants no more than the first chunk.
        case suffice
        /// Takes each chunk only when it comes for the second time.
        case pauseEveryChunk
        /// The same, until it stops at a chunk and asks the client to abort.
        case pauseThenAbort(chunk: Int)
        /// Stops at the first chunk and never goes on.
        case pauseForever
        case refuseHead(DownloadError)
        case refuseBody(DownloadError)
        /// Asks the client to abort when the head or the first chunk is there.
        case abortAtHead
        case abortAtBody
    }

    var fetched = Fetched()
    private(set) var wantsResume = false
    private(set) var wantsAbort = false
    private let behaviour: Behaviour
    private var mayTake = false

    init(_ behaviour: Behaviour) { self.behaviour = behaviour }

    func takeResume() -> Bool {
        defer { wantsResume = false }
        return wantsResume
    }

    func begin(_ head: ResponseHead) throws(DownloadError) {
        fetched.heads.append(head)
        if case .abortAtHead = behaviour { wantsAbort = true }
        if case .refuseHead(let error) = behaviour { throw error }
    }

    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        switch behaviour {
        case .collect, .suffice, .refuseHead, .abortAtHead: break
        case .discard: return .taken
        case .abortAtBody: wantsAbort = true
        case .refuseBody(let error): throw error
        case .pauseForever: return pause()
        case .pauseThenAbort(let chunk) where fetched.pauses == chunk - 1:
            wantsAbort = true
            return pause()
        case .pauseEveryChunk, .pauseThenAbort:
            mayTake.toggle()
            if mayTake {
                wantsResume = true
                return pause()
            }
        }
        for index in chunk.indices { fetched.body.append(chunk[index]) }
        fetched.received.append(received)
        return if case .suffice = behaviour { .enough } else { .taken }
    }

    private func pause() -> BodyFlow {
        fetched.pauses += 1
        return .pause
    }
}

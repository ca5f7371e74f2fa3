import SluiceCore
import SluiceOrigin

/// The requests that an origin's scripts have seen, for tests that look at what was sent.
final class Ledger: Sendable {
    private let contents = Locked<[OriginRequest]>([])

    /// In the order of their arrival.
    var requests: [OriginRequest] { contents.withLock { $0 } }

    /// A script that notes the request and answers.
    func script(_ answer: @escaping Origin.Script) -> Origin.Script {
        { [self] request, number in
            contents.withLock { $0.append(request) }
            return answer(request, number)
        }
    }

    func script(_ answer: OriginResponse) -> Origin.Script { script { _, _ in answer } }
}

import SluiceCore

@testable import SluiceCurl

/// A transfer on a transport without its thread: the test serves it, and says what time it is.
final class DrivenTransfer {
    let sink: TestSink
    private(set) var result: Result<Void, DownloadError>?
    // Before the loop, so that it goes first.
    private let transport: CurlTransport
    private let loop: TransferLoop
    private var time = Timestamp(nanoseconds: 0)

    init(_ request: TransferRequest, timeout: Duration, _ behaviour: TestSink.Behaviour = .collect) {
        sink = TestSink(behaviour)
        loop = TransferLoop()
        transport = CurlTransport(poller: loop.poller)
        transport.limits.timeout = timeout
        transport.start(TransferID(1), request, into: sink, now: time)
    }

    var error: DownloadError? {
        if case .failure(let error)? = result { error } else { nil }
    }

    /// Lets time pass in which nobody looks at a socket.
    func holdUp(for pause: Duration) {
        time = time + pause
        transport.wasHeldUp(for: pause)
    }

    /// Serves the sockets once; what curl itself wants a moment later is served at once.
    func turn(after pause: Duration = .zero) {
        time = time + pause
        let soon = time + .milliseconds(1)
        var ready: [SocketEvent] = []
        loop.poller.wait(.until(soon), now: time, into: &ready)
        if let deadline = transport.deadline, deadline > time, deadline <= soon { time = deadline }
        transport.socketsReady(ready, now: time)
        while let news = transport.nextNews(now: time) {
            if case .ended(let ended) = news { result = ended.result }
        }
    }
}

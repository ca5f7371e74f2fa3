internal import SluiceCore
internal import SluiceSystem

/// Serves one connection on its own thread: request, answer, request, answer, until either side ends it.
struct OriginConnection {
    private let socket: ConnectionSocket
    private let number: Int
    private let bell: Doorbell
    private let state: OriginState

    /// - Throws: ``OriginError`` when the process is out of file descriptors; the socket stays open then.
    init(socket: Int32, number: Int, state: OriginState, stop: Doorbell) throws(OriginError) {
        bell = try Doorbell.make()
        self.socket = ConnectionSocket(descriptor: socket, stop: stop)
        (self.number, self.state) = (number, state)
    }

    func serve() {
        defer { socket.close() }
        socket.sendWithoutDelay()
        var parser = RequestParser()
        do throws(Interruption) {
            while let (request, allowsReuse) = try nextRequest(&parser) {
                let (script, nth) = state.began(request, at: MonotonicClock.now())
                var answer = Answer(script(request, nth), to: request, socket: socket, bell: bell, state: state)
                let mayContinue = answer.run()
                guard mayContinue, allowsReuse else { return }
            }
        } catch {
            // Nobody was being answered, so there is nothing to report.
        }
    }

    /// Waits for a whole request; `nil` when the client is done or speaks no HTTP.
    private func nextRequest(
        _ parser: inout RequestParser
    ) throws(Interruption) -> (request: OriginRequest, allowsReuse: Bool)? {
        var head: RequestParser.Head?
        while true {
            if head == nil {
                switch parser.takeHead() {
                case .broken:
                    return nil
                case .head(let next):
                    head = next
                    if next.header("expect")?.lowercased() == "100-continue" {
                        try socket.send(ArraySlice("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                    }
                case .needsMore:
                    break
                }
            }
            if let head, let body = parser.takeBody(head.bodyLength) {
                let request = OriginRequest(
                    method: head.method,
                    target: head.target,
                    headers: head.headers,
                    body: body,
                    connection: number
                )
                let isLast = head.header("connection")?.lowercased() == "close" || head.version == "HTTP/1.0"
                return (request, !isLast)
            }
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { return nil }
            parser.append(bytes)
        }
    }
}

internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// The control thread's work: accepts programs, reads their calls, and sends them answers and events.
///
/// Confined to its thread, and woken by sockets and the server's bell only.
final class ControlLoop {
    private static let bellToken: UInt64 = 0
    private static let listenerToken: UInt64 = 1
    /// Descriptors that are left to downloads and files, however many programs connect.
    private static let reserve = 512
    /// What programs are given to read their last answers, and again as long as one of them reads.
    private static let grace: Duration = .milliseconds(200)
    /// What they are given altogether: whoever ends Sluice waits no longer.
    private static let longestGrace: Duration = .milliseconds(800)
    /// Events that are made into lines at once.
    private static let chunk = 128

    private let server: ControlServer
    private let context: ControlContext
    private let encoder: ControlEncoder
    private let ask: @Sendable (PipelineQuery, @escaping @Sendable (PipelineReply) -> Void) -> Void
    private let quit: @Sendable () -> Void
    private let poller = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let clientLimit: Int
    /// Lent when descriptors run out, so that whoever connects can be told so.
    private var spare = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    private var clients: [Int: ControlClient] = [:]
    private var lastToken = 1
    private var isQuitting = false
    /// When the rest is dropped; `nil` while serving.
    private var deadline: Timestamp?
    /// The same for those who still read.
    private var lastDeadline: Timestamp?
    /// Lines of events made in this round, by the number of the first.
    private var chunks: [Int: (bytes: [UInt8], next: Int)] = [:]

    init(
        _ server: ControlServer,
        context: ControlContext,
        encoder: ControlEncoder,
        ask: @escaping @Sendable (PipelineQuery, @escaping @Sendable (PipelineReply) -> Void) -> Void,
        quit: @escaping @Sendable () -> Void
    ) {
        precondition(poller >= 0, "out of file descriptors at start-up")
        (self.server, self.context, self.encoder, self.ask, self.quit) = (server, context, encoder, ask, quit)
        clientLimit = max(16, Int(sluice_raise_descriptor_limit(8_192)) - Self.reserve)
    }

    func run() {
        watch(server.bell.descriptor, Self.bellToken, EPOLLIN.rawValue, EPOLL_CTL_ADD)
        watch(server.socket.descriptor, Self.listenerToken, EPOLLIN.rawValue, EPOLL_CTL_ADD)
        var ready: [(token: UInt64, bits: UInt32)] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while deadline.map({ !clients.isEmpty && (MonotonicClock.now() < $0 || extendDeadline()) }) ?? true {
            wait(into: &ready)
            for (token, bits) in ready { unsafe serve(token, bits, buffer) }
            pumpAll(through: takeInbox())
        }
        for client in clients.values {
            client.cutShort(saying: lostLine())
            Glibc.close(client.descriptor)
        }
        clients = [:]
        Glibc.close(spare)
        Glibc.close(poller)
    }

    /// Puts the end off as long as somebody read something since it was put off last.
    private func extendDeadline() -> Bool {
        let now = MonotonicClock.now()
        guard let lastDeadline, now < lastDeadline, clients.values.contains(where: { $0.takesMore() }) else {
            return false
        }
        deadline = min(lastDeadline, now + Self.grace)
        return true
    }

    // MARK: - Waiting

    private func wait(into ready: inout [(token: UInt64, bits: UInt32)]) {
        ready.removeAll(keepingCapacity: true)
        let limit = MonotonicClock.milliseconds(from: MonotonicClock.now(), to: deadline)
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 128) { events in
            let count = unsafe epoll_wait(poller, events.baseAddress, 128, limit)
            for index in 0..<max(0, Int(count)) { unsafe ready.append((events[index].data.u64, events[index].events)) }
        }
    }

    private func serve(_ token: UInt64, _ bits: UInt32, _ buffer: UnsafeMutableRawBufferPointer) {
        switch token {
        case Self.bellToken: server.bell.answer()
        case Self.listenerToken: acceptAll()
        default:
            guard let client = clients[Int(token)] else { return }
            if bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return unsafe serveLast(client, buffer) }
            if bits & EPOLLIN.rawValue != 0 { unsafe client.read(into: buffer) }
            readCalls(client)
        }
    }

    /// Does what a program asked for that did not stay to hear the answer.
    ///
    /// It sends no more, so there is no more than the socket holds.
    private func serveLast(_ client: ControlClient, _ buffer: UnsafeMutableRawBufferPointer) {
        client.hangUp()
        while !client.isOver {
            unsafe client.read(into: buffer)
            readCalls(client)
        }
    }

    private func watch(_ descriptor: Int32, _ token: UInt64, _ bits: UInt32, _ operation: Int32) {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: token))
        unsafe epoll_ctl(poller, operation, descriptor, &event)
    }

    // MARK: - Connections

    private func acceptAll() {
        for _ in 0..<64 {
            let descriptor = sluice_accept(server.socket.descriptor)
            if descriptor < 0 {
                guard errno == EMFILE || errno == ENFILE else { return }
                Glibc.close(spare)
                let refused = sluice_accept(server.socket.descriptor)
                if refused >= 0 { Glibc.close(refused) }
                spare = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
                return
            }
            guard clients.count < clientLimit, deadline == nil else {
                refuse(descriptor)
                continue
            }
            lastToken += 1
            let client = ControlClient(token: lastToken, descriptor: descriptor)
            clients[lastToken] = client
            client.watched = client.interest
            watch(descriptor, UInt64(lastToken), client.watched, EPOLL_CTL_ADD)
        }
    }

    private func refuse(_ descriptor: Int32) {
        var line: [UInt8] = []
        let tooMany = ControlError.invalid("\(clients.count) programs are connected already; close some")
        let error = deadline == nil ? tooMany : .shuttingDown
        encoder.append(error, id: .null, to: &line)
        line.append(UInt8(ascii: "\n"))
        _ = unsafe send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
        Glibc.close(descriptor)
    }

    private func drop(_ client: ControlClient) {
        clients[client.token] = nil
        Glibc.close(client.descriptor)
    }

    // MARK: - Calls

    private func readCalls(_ client: ControlClient) {
        beginCalls(client)
        while let line = client.nextLine() {
            client.open(ControlMessage(line: line, context: context))
            beginCalls(client)
        }
        if client.hasTooLongBatch {
            client.close(saying: line(.invalid("the answers to a batch have at most 64 MiB: ask for less"), id: .null))
        }
        if client.hasTooLongLine {
            client.close(saying: line(.invalid("a line has at most \(LineBuffer.limit) bytes"), id: .null))
        }
    }

    private func beginCalls(_ client: ControlClient) {
        while let (serial, call) = client.nextCall() { start(call, serial, client) }
    }

    private func start(_ call: ControlCall, _ serial: Int, _ client: ControlClient) {
        // Also what is read only now that those before it are answered: nobody would answer it.
        guard !isQuitting, deadline == nil else { return refuse(call, serial, client, .shuttingDown) }
        switch call.action {
        case .failure(let error): refuse(call, serial, client, error)
        case .success(.query(let query)): ask(query, serial, client)
        case .success(.subscribe): ask(.position, serial, client)
        case .success(.quit):
            var line: [UInt8] = []
            encoder.appendEmpty(to: call, to: &line)
            client.answer(serial, with: line, seq: 0)
            isQuitting = true
            quit()
        }
    }

    private func ask(_ query: PipelineQuery, _ serial: Int, _ client: ControlClient) {
        let token = client.token
        ask(query) { [server] reply in
            server.post(ControlServer.Inbox.Reply(client: token, serial: serial, reply: reply))
        }
    }

    private func refuse(_ call: ControlCall, _ serial: Int, _ client: ControlClient, _ error: ControlError) {
        var line: [UInt8] = []
        encoder.append(error, id: call.id, to: &line)
        client.answer(serial, with: line, seq: 0)
    }

    private func line(_ error: ControlError, id: ControlCall.ID) -> [UInt8] {
        var line: [UInt8] = []
        encoder.append(error, id: id, to: &line)
        line.append(UInt8(ascii: "\n"))
        return line
    }

    // MARK: - Answers and events

    /// Takes what other threads left.
    ///
    /// - Returns: The last event that was there by then: of those behind it some may have answers before them that were
    ///   not.
    private func takeInbox() -> Int {
        let (replies, newest, isClosing, end) = server.inbox.withLock { inbox in
            defer { inbox.replies = [] }
            inbox.isRung = false
            return (inbox.replies, inbox.history.newest, inbox.isClosing, inbox.end)
        }
        for reply in replies { take(reply) }
        guard isClosing, deadline == nil else { return newest }
        let now = MonotonicClock.now()
        let last = end.map { min($0, now + Self.longestGrace) } ?? now + Self.longestGrace
        (deadline, lastDeadline) = (min(now + Self.grace, last), last)
        server.socket.close()
        for client in clients.values {
            for (serial, open) in client.calls { refuse(open.call, serial, client, .shuttingDown) }
        }
        return newest
    }

    private func take(_ posted: ControlServer.Inbox.Reply) {
        guard let client = clients[posted.client], let call = client.calls[posted.serial]?.call else { return }
        let reply = posted.reply
        var start: ControlClient.StreamStart?
        if case .success(.subscribe(let since)) = call.action, case .done = reply.answer {
            if let since, since > reply.seq {
                let error = ControlError(code: -32602, message: "since: is at most \(reply.seq), the last event so far")
                return refuse(call, posted.serial, client, error)
            }
            start = ControlClient.StreamStart(from: (since ?? reply.seq) + 1, goesBack: since != nil)
        }
        var line: [UInt8] = []
        encoder.append(reply, to: call, to: &line)
        client.answer(posted.serial, with: line, seq: reply.seq, start: start)
        // Room for calls that waited for it.
        readCalls(client)
    }

    private func pumpAll(through newest: Int) {
        chunks = [:]
        for client in clients.values {
            client.pump(newest: newest, lines: lines(from:through:)) { lostLine() }
            readCalls(client)
            // Once the session has ended no event follows, and a subscriber has nothing to stay for.
            if deadline != nil, client.isIdle(newest: newest) || client.isOver { drop(client) } else { settle(client) }
        }
        let hasSubscribers = clients.values.contains { $0.cursor != nil }
        let newer = server.inbox.withLock { inbox in
            inbox.hasSubscribers = hasSubscribers
            return hasSubscribers && inbox.history.newest > newest
        }
        // An event that came before the flag was set rang no bell.
        if newer { server.bell.ring() }
    }

    private func settle(_ client: ControlClient) {
        if client.isOver { return drop(client) }
        let interest = client.interest
        guard interest != client.watched else { return }
        client.watched = interest
        watch(client.descriptor, UInt64(client.token), interest, EPOLL_CTL_MOD)
    }

    private func lines(from seq: Int, through last: Int) -> (bytes: [UInt8], next: Int)? {
        if let made = chunks[seq], made.next <= last + 1 { return made }
        let events = server.inbox.withLock { $0.history.events(from: seq, through: last, atMost: Self.chunk) }
        guard let end = events.last?.seq else { return nil }
        var bytes: [UInt8] = []
        for event in events { encoder.append(event, to: &bytes) }
        chunks[seq] = (bytes, end + 1)
        return (bytes, end + 1)
    }

    private func lostLine() -> [UInt8] {
        var line: [UInt8] = []
        encoder.appendLost(seq: server.inbox.withLock { $0.history.oldest }, to: &line)
        return line
    }
}

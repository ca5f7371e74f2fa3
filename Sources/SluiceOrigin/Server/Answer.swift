internal import SluiceCore
internal import SluiceSystem

/// Sends one answer as scripted, and keeps the log's books about it.
struct Answer {
    private static let blockSize = 65_536
    /// Slow bodies go out in so many slices a second.
    private static let slicesPerSecond = 50
    /// Final pieces longer than this are split, so that only one byte follows the end in the log.
    private static let longestFinalPiece = 1024

    private let response: OriginResponse
    private let request: OriginRequest
    private let socket: ConnectionSocket
    private let bell: Doorbell
    private let state: OriginState
    private var isFinished = false
    /// Bytes of the body handed to the system.
    private var sent = 0

    /// - Parameters:
    ///   - response: As scripted.
    ///   - request: What it answers.
    ///   - socket: Of the connection.
    ///   - bell: Of the connection; rung at a release.
    ///   - state: Where the books are.
    init(
        _ response: OriginResponse,
        to request: OriginRequest,
        socket: ConnectionSocket,
        bell: Doorbell,
        state: OriginState
    ) {
        (self.response, self.request, self.socket, self.bell, self.state) = (response, request, socket, bell, state)
    }

    /// Sends all of it.
    ///
    /// - Returns: Whether the connection may serve another request.
    mutating func run() -> Bool {
        do throws(Interruption) {
            try passGate(request.path)
            if response.delay > .zero { try socket.pause(until: MonotonicClock.now() + response.delay) }
            let mayContinue = try send()
            finish()
            state.answered()
            return mayContinue
        } catch {
            if error == .clientGone {
                state.clientClosed(OriginLog.Close(path: request.path, at: MonotonicClock.now(), sent: sent))
            }
            finish()
            return false
        }
    }

    private func passGate(_ name: String) throws(Interruption) {
        guard let key = state.waitAtGate(name, bell) else { return }
        defer { state.leaveGate(key) }
        repeat {
            bell.answer()
            guard state.isHeld(name) else { return }
            try socket.pause(until: nil, bell: bell)
        } while true
    }

    private mutating func send() throws(Interruption) -> Bool {
        var cutoff = Int.max
        switch response.fault {
        case .noAnswer:
            return false
        case .silence:
            try socket.pause(until: nil)
        case .resetUnanswered:
            socket.resetOnClose()
            return false
        case .raw(let bytes):
            try send(bytes[...], isLast: true)
            return false
        case .close(let count), .reset(let count), .stall(let count):
            cutoff = count
        case nil:
            break
        }
        for interim in response.interim {
            try socket.send(HeadText.interim(interim)[...])
        }
        var source = BodySource(response.body, encoding: response.encoding)
        let head = HeadText.final(response, bodyLength: source.count)
        let hasBody = request.method != "HEAD" && response.status != 204 && response.status != 304
        guard hasBody else {
            try send(head[...], isLast: response.fault == nil)
            return response.fault == nil
        }
        let isBodyLast = response.fault == nil && response.framing == .length && response.extra.isEmpty
        try send(head[...], isLast: isBodyLast && source.count == 0)
        try sendBody(&source, cutoff: cutoff, isLast: isBodyLast)
        return try end()
    }

    private mutating func sendBody(_ source: inout BodySource, cutoff: Int, isLast: Bool) throws(Interruption) {
        let total = source.count
        var blockSize = Self.blockSize
        if let rate = response.bytesPerSecond { blockSize = min(blockSize, max(1, rate / Self.slicesPerSecond)) }
        if case .chunked(let size) = response.framing { blockSize = min(blockSize, size) }
        var gates = response.gates[...]
        let start = MonotonicClock.now()
        while sent < min(total, cutoff) {
            while let gate = gates.first, gate.after <= sent { try passGate(gates.removeFirst().name) }
            if let rate = response.bytesPerSecond {
                try socket.pause(until: start + .nanoseconds(Int64(Double(sent) / Double(rate) * 1e9)))
            }
            let block = source.next(min(blockSize, (gates.first?.after ?? total) - sent))
            let isCut = block.count > cutoff - sent
            let piece = isCut ? block.prefix(cutoff - sent) : block
            if case .chunked = response.framing {
                let frame = Array(String(block.count, radix: 16).utf8) + [13, 10] + piece + (isCut ? [] : [13, 10])
                try socket.send(frame[...])
                sent += piece.count
            } else {
                try send(piece, isLast: isLast && sent + piece.count == total, isBody: true)
            }
        }
    }

    /// What follows the body: its end, extra bytes, or the fault.
    private mutating func end() throws(Interruption) -> Bool {
        switch response.fault {
        case .reset:
            socket.resetOnClose()
            return false
        case .stall:
            try socket.pause(until: nil)
            return false
        case .close, .noAnswer, .silence, .resetUnanswered, .raw:
            return false
        case nil:
            break
        }
        if case .chunked = response.framing { try send([48, 13, 10, 13, 10], isLast: response.extra.isEmpty) }
        if !response.extra.isEmpty { try send(response.extra[...], isLast: true) }
        let closes = response.headers.contains {
            $0.name.lowercased() == "connection" && $0.value.lowercased() == "close"
        }
        return response.framing != .untilClose && !closes
    }

    /// Sends a piece; the last one leaves the log's count of active requests just before its last byte.
    private mutating func send(
        _ bytes: ArraySlice<UInt8>,
        isLast: Bool,
        isBody: Bool = false
    ) throws(Interruption) {
        let early = !isLast ? bytes.count : bytes.count > Self.longestFinalPiece ? bytes.count - 1 : 0
        if early > 0 {
            try socket.send(bytes.prefix(early))
            if isBody { sent += early }
        }
        guard isLast else { return }
        finish()
        try socket.send(bytes.dropFirst(early))
        if isBody { sent += bytes.count - early }
    }

    private mutating func finish() {
        guard !isFinished else { return }
        isFinished = true
        state.finished()
    }
}

internal import COpenSSL
internal import Glibc

/// Answers the requests of one connection whose handshake is over.
@safe
struct TLSConversation {
    private let connection: OpaquePointer
    private let behaviour: TLSServer.Behaviour
    private let note: ((inout TLSServer.Connection) -> Void) -> Void
    private let isHTTP2: Bool

    init(
        _ connection: OpaquePointer,
        _ behaviour: TLSServer.Behaviour,
        note: @escaping ((inout TLSServer.Connection) -> Void) -> Void
    ) {
        unsafe self.connection = connection
        (self.behaviour, self.note) = (behaviour, note)
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(connection, &name, &length)
        isHTTP2 = length == 2
        let isResumed = unsafe SSL_session_reused(connection) == 1
        let hasClient = unsafe SSL_get0_peer_certificate(connection) != nil
        note { [isHTTP2] seen in
            (seen.isShaken, seen.isResumed, seen.hasClient, seen.isHTTP2) = (true, isResumed, hasClient, isHTTP2)
        }
    }

    func run() {
        var isClosed = true
        if isHTTP2 { serveHTTP2() } else { isClosed = serveHTTP1() }
        if isClosed { unsafe SSL_shutdown(connection) }
    }

    // MARK: HTTP/1.1

    /// - Returns: Whether TLS is closed too.
    private func serveHTTP1() -> Bool {
        var bytes: [UInt8] = []
        var count = 0
        while let chunk = receive() {
            bytes += chunk
            while let end = Self.headEnd(bytes) {
                let head = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeFirst(end)
                count += 1
                let isLast = behaviour.requestsPerConnection == count
                let line = String(head.prefix { $0 != "\r\n" })
                note { seen in
                    seen.requests.append(line)
                    seen.heads.append(head)
                }
                let path = String(line.split(separator: " ").dropFirst().first ?? "")
                if let records = behaviour.records[path] {
                    guard records.allSatisfy({ send(Array($0.utf8)) }) else { return true }
                    if let closes = behaviour.closes[path] { return closes }
                    continue
                }
                let plain = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n"
                let start = behaviour.heads[path] ?? plain
                let closing = isLast ? "Connection: close\r\n" : ""
                let body = behaviour.heads[path] == nil ? "hello" : ""
                guard send(Array((start + behaviour.fields + closing + "\r\n" + body).utf8)), !isLast else {
                    return true
                }
            }
        }
        return true
    }

    /// Whole, since what a tunnel carries is noise, in which less may turn up.
    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for end in 4...bytes.count where bytes[(end - 4)..<end].elementsEqual([13, 10, 13, 10]) { return end }
        return nil
    }

    // MARK: HTTP/2

    /// - SeeAlso: RFC 9113 §4.1
    private func serveHTTP2() {
        var bytes: [UInt8] = []
        var count = 0
        guard send(Self.frame(4, flags: 0, stream: 0, [])) else { return }
        var hasPreface = false
        var bodies: [StreamedBody] = []
        while true {
            // What is to be sent waits for what came.
            if !bodies.isEmpty, !hasInput {
                var body = bodies.removeFirst()
                guard send(body.takeFrame()) else { return }
                if body.left > 0 { bodies.append(body) }
                continue
            }
            guard let chunk = receive() else { return }
            bytes += chunk
            if !hasPreface, bytes.count >= 24 {
                bytes.removeFirst(24)
                hasPreface = true
            }
            while hasPreface, bytes.count >= 9 {
                let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
                guard bytes.count >= 9 + length else { break }
                let (type, flags) = (bytes[3], bytes[4])
                let stream = bytes[5..<9].reduce(0) { $0 << 8 | Int($1) }
                let payload = Array(bytes[9..<(9 + length)])
                bytes.removeFirst(9 + length)
                switch type {
                case 1:
                    count += 1
                    let path = Self.path(in: payload)
                    note { $0.requests.append("stream \(stream)\(path)") }
                    if behaviour.deaf.contains(String(path.dropFirst())) { return hearOn() }
                    if behaviour.mute.contains(String(path.dropFirst())) { continue }
                    if let body = behaviour.bodies[String(path.dropFirst())] {
                        guard send(Self.head(stream, lengths: ["\(body.count)"])) else { return }
                        let cut = behaviour.resets[String(path.dropFirst())].map { max(0, body.count - $0) }
                        let end = cut.map { (left: $0, code: behaviour.resetCode) }
                        bodies.append(StreamedBody(stream: stream, byte: body.byte, left: body.count, cut: end))
                        continue
                    }
                    // What is on its way is answered still; the client goes when it has all of it. In one piece
                    // with the answer, so that it knows before it asks for more.
                    let isLast = count == behaviour.requestsPerConnection
                    let farewell = Self.frame(7, flags: 0, stream: 0, [127, 255, 255, 255, 0, 0, 0, 0])
                    guard send(answer(stream) + (isLast ? farewell : [])) else { return }
                case 3: bodies.removeAll { $0.stream == stream }
                case 4 where flags & 1 == 0: guard send(Self.frame(4, flags: 1, stream: 0, [])) else { return }
                case 6 where flags & 1 == 0: guard send(Self.frame(6, flags: 1, stream: 0, payload)) else { return }
                case 7: return
                default: break
                }
            }
        }
    }

    /// The path of a request, with a blank before it, if it was sent without Huffman's code.
    ///
    /// That is so where the code would make it longer, as many a `~` does, which takes 13 bits.
    ///
    /// - SeeAlso: RFC 7541 §5.2
    private static func path(in block: [UInt8]) -> String {
        guard let end = block.firstIndex(of: UInt8(ascii: "~")) else { return "" }
        let text = block[..<end].reversed().prefix { (0x21...0x7E).contains($0) }.reversed()
        return " " + String(decoding: text.drop { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    /// Status 200, `content-length: 5`, and the body.
    private func answer(_ stream: Int) -> [UInt8] {
        Self.head(stream, lengths: ["5"] + (behaviour.secondLength.map { [$0] } ?? []))
            + Self.frame(0, flags: 1, stream: stream, Array("hello".utf8))
    }

    /// The rest of a body, which goes out in frames of 16 KiB.
    ///
    /// Windows are the test's business.
    private struct StreamedBody {
        let stream: Int
        let byte: UInt8
        var left: Int
        /// The stream is reset as soon as no more than so much is left.
        let cut: (left: Int, code: UInt8)?

        mutating func takeFrame() -> [UInt8] {
            if let cut, left <= cut.left {
                left = 0
                return TLSConversation.frame(3, flags: 0, stream: stream, [0, 0, 0, cut.code])
            }
            let count = min(left, 16_384)
            left -= count
            let payload = [UInt8](repeating: byte, count: count)
            return TLSConversation.frame(0, flags: left == 0 ? 1 : 0, stream: stream, payload)
        }
    }

    /// Status 200 and lengths.
    private static func head(_ stream: Int, lengths: [String]) -> [UInt8] {
        var block: [UInt8] = [0x88]
        for length in lengths { block += [0x0F, 0x0D, UInt8(length.utf8.count)] + Array(length.utf8) }
        return frame(1, flags: 4, stream: stream, block)
    }

    private static func frame(_ type: UInt8, flags: UInt8, stream: Int, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        let head = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags]
        return head + [24, 16, 8, 0].map { UInt8(stream >> $0 & 255) } + payload
    }

    // MARK: Bytes

    /// Reads to the end, and says nothing.
    private func hearOn() { while receive() != nil {} }

    /// Whether something came that was not read yet.
    private var hasInput: Bool {
        if unsafe SSL_pending(connection) > 0 { return true }
        var ready = unsafe pollfd(fd: SSL_get_fd(connection), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 0) > 0
    }

    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe SSL_read(connection, &buffer, Int32(buffer.count))
        guard count > 0 else { return nil }
        note { $0.byteCount += Int(count) }
        return Array(buffer.prefix(Int(count)))
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        unsafe SSL_write(connection, bytes, Int32(bytes.count)) == Int32(bytes.count)
    }
}

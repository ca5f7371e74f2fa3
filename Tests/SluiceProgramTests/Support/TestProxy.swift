import Glibc
import SluiceCore
import SluiceSystem

/// A proxy on loopback that speaks what its clients do: HTTP, with and without tunnels, and SOCKS 4, 4a and 5.
///
/// Serves one connection after the other, which is all that its tests need, and notes what each asked for.
final class TestProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let needs: String?
    private let notes = Notes()

    /// What was asked for, one line a connection: the kind, the target, and who asked.
    var log: [String] { notes.all }

    /// - Parameter needs: `user:password`, without which it refuses.
    /// - Throws: If it can't listen.
    init(needs: String? = nil) throws {
        self.needs = needs
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let code = unsafe bind(listener, address, size)
                unsafe getsockname(listener, address, &size)
                return code
            }
        }
        guard code == 0, listen(listener, 16) == 0 else { throw Failure() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let box = Box(listener, needs, notes)
        WorkerThread { box.serve() }.detach()
    }

    struct Failure: Error {}

    /// Written by the thread, read by the test.
    private final class Notes: Sendable {
        private let lines = Locked<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// Ends the thread once the connection at hand is over.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// What the thread owns.
    private final class Box: Sendable {
        private let listener: Int32
        private let needs: String?
        private let notes: Notes

        init(_ listener: Int32, _ needs: String?, _ notes: Notes) {
            (self.listener, self.needs, self.notes) = (listener, needs, notes)
        }

        func serve() {
            while case let client = accept(listener, nil, nil), client >= 0 {
                serve(Wire(client))
                close(client)
            }
            close(listener)
        }

        private func serve(_ client: Wire) {
            guard let first = client.byte() else { return }
            switch first {
            case 4: socks4(client)
            case 5: socks5(client)
            default: http(client, first)
            }
        }

        private func note(_ text: String) { notes.add(text) }

        private func socks4(_ client: Wire) {
            let head = client.bytes(7)
            guard head.count == 7 else { return }
            let user = client.text(until: 0)
            let port = UInt16(head[1]) << 8 | UInt16(head[2])
            // An address 0.0.0.x means that a name follows.
            let isNamed = head[3...5] == [0, 0, 0] && head[6] != 0
            let host = isNamed ? client.text(until: 0) : head[3...6].map { "\($0)" }.joined(separator: ".")
            note("socks4\(isNamed ? "a" : "") \(host) \(user)")
            client.send([0, 90, 0, 0, 0, 0, 0, 0])
            tunnel(client, port)
        }

        private func socks5(_ client: Wire) {
            let methods = client.bytes(Int(client.byte() ?? 0))
            var user = ""
            if methods.contains(2) {
                client.send([5, 2])
                _ = client.byte()
                let name = String(decoding: client.bytes(Int(client.byte() ?? 0)), as: UTF8.self)
                let password = String(decoding: client.bytes(Int(client.byte() ?? 0)), as: UTF8.self)
                user = "\(name):\(password)"
                client.send([1, needs == nil || needs == user ? 0 : 1])
            } else {
                client.send([5, 0])
            }
            let head = client.bytes(4)
            guard head.count == 4 else { return }
            let isNamed = head[3] == 3
            let address = client.bytes(isNamed ? Int(client.byte() ?? 0) : 4)
            let port = client.bytes(2)
            guard port.count == 2 else { return }
            let host =
                isNamed ? String(decoding: address, as: UTF8.self) : address.map { "\($0)" }.joined(separator: ".")
            note("socks5\(isNamed ? "h" : "") \(host) \(user)")
            client.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            tunnel(client, UInt16(port[0]) << 8 | UInt16(port[1]))
        }

        private func http(_ client: Wire, _ first: UInt8) {
            var head = String(decoding: [first], as: UTF8.self)
            while !head.hasSuffix("\r\n\r\n"), let byte = client.byte() {
                head += String(decoding: [byte], as: UTF8.self)
            }
            let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
            guard words.count == 3 else { return }
            let fields = head.split(separator: "\r\n").dropFirst()
            let user = fields.first { $0.hasPrefix("Proxy-Authorization: ") }?.dropFirst(21)
            note("\(words[0]) \(words[1]) \(user ?? "")")
            if needs != nil, user == nil {
                client.send(Array("HTTP/1.1 407 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
                return
            }
            if words[0] == "CONNECT" {
                client.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
                tunnel(client, words[1].split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
                return
            }
            // Absolute form: the path is what follows the authority.
            let parts = words[1].split(separator: "/", maxSplits: 2)
            let port = parts.count > 1 ? parts[1].split(separator: ":").last.flatMap { UInt16($0) } : nil
            let path = parts.count > 2 ? "/\(parts[2])" : "/"
            let kept = fields.filter { !$0.hasPrefix("Proxy-") && !$0.hasPrefix("Connection") }
            let request = (["\(words[0]) \(path) HTTP/1.1"] + kept.map(String.init) + ["Connection: close", "", ""])
            tunnel(client, port ?? 80, sending: Array(request.joined(separator: "\r\n").utf8))
        }

        /// Passes bytes on in both directions until one side ends.
        private func tunnel(_ client: Wire, _ port: UInt16, sending first: [UInt8] = []) {
            let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
            defer { close(far) }
            var address = TestProxy.loopback(port)
            let code = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard code == 0 else { return }
            let origin = Wire(far)
            origin.send(first)
            var watched = [
                pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: far, events: Int16(POLLIN), revents: 0),
            ]
            while unsafe poll(&watched, 2, 20_000) > 0 {
                for (index, (from, to)) in [(client, origin), (origin, client)].enumerated()
                where watched[index].revents != 0 {
                    let bytes = from.some()
                    if bytes.isEmpty { return }
                    to.send(bytes)
                }
            }
        }
    }

    /// One connected socket.
    private struct Wire {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        func byte() -> UInt8? { bytes(1).first }

        /// Exactly so many, or fewer at the end.
        func bytes(_ count: Int) -> [UInt8] {
            var got: [UInt8] = []
            while got.count < count {
                let more = some(atMost: count - got.count)
                if more.isEmpty { return got }
                got += more
            }
            return got
        }

        func text(until end: UInt8) -> String {
            var text: [UInt8] = []
            while let byte = byte(), byte != end { text.append(byte) }
            return String(decoding: text, as: UTF8.self)
        }

        func some(atMost limit: Int = 65_536) -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: limit)
            let count = unsafe recv(descriptor, &buffer, limit, 0)
            return Array(buffer.prefix(max(0, count)))
        }

        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

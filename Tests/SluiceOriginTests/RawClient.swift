import CLinux
import Glibc
import SluiceOrigin
import Testing

/// A client that sends and receives plain bytes on one connection; every wait is bounded.
final class RawClient {
    /// An answer as it arrived.
    struct Response: Equatable {
        var head: String
        var body: [UInt8]
        var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

        func field(_ name: String) -> String? {
            for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix(name.lowercased() + ": ") {
                return String(line.dropFirst(name.count + 2))
            }
            return nil
        }
    }

    enum End: Equatable {
        case closed
        case reset
        case timedOut
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true
    /// How the connection ended, once it did.
    private(set) var end: End?

    init(_ origin: Origin) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = origin.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0, "the origin must accept connections")
    }

    deinit { close() }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func send(_ method: String = "GET", _ path: String, _ fields: [String] = []) {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: test"] + fields
        send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The next answer: head, and body by `Content-Length`, chunks, or the end of the connection.
    func receive(hasBody: Bool = true) -> Response? {
        guard let head = receiveHead() else { return nil }
        var response = Response(head: head, body: [])
        guard hasBody, response.status >= 200, response.status != 204, response.status != 304 else { return response }
        if response.field("transfer-encoding") == "chunked" {
            response.body = receiveChunks()
        } else if let length = response.field("content-length").flatMap({ Int($0) }) {
            response.body = take(length)
        } else {
            response.body = take(.max)
        }
        return response
    }

    func get(_ path: String, _ fields: [String] = []) throws -> Response {
        send("GET", path, fields)
        return try #require(receive())
    }

    func receiveHead() -> String? {
        let blank: [UInt8] = [13, 10, 13, 10]
        var searched = 0
        while true {
            if buffer.count >= 4 {
                for index in searched...buffer.count - 4 where buffer[index..<index + 4].elementsEqual(blank) {
                    let head = String(decoding: buffer[..<index], as: UTF8.self)
                    buffer.removeFirst(index + 4)
                    return head
                }
                searched = buffer.count - 3
            }
            guard fill() else { return nil }
        }
    }

    /// So many bytes, or fewer at the end of the connection.
    func take(_ count: Int) -> [UInt8] {
        while buffer.count < count, fill() {}
        let taken = Array(buffer.prefix(count))
        buffer.removeFirst(taken.count)
        return taken
    }

    /// Reads and counts bytes to the end of the connection, without keeping them.
    func countToEnd(atMost limit: Int) -> Int {
        var count = buffer.count
        repeat {
            buffer.removeAll(keepingCapacity: true)
            guard fill() else { return count }
            count += buffer.count
        } while count < limit
        return count
    }

    private func receiveChunks() -> [UInt8] {
        var body: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while !line.suffix(2).elementsEqual([13, 10]) {
                let next = take(1)
                guard !next.isEmpty else { return body }
                line += next
            }
            guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else { return body }
            body += take(size)
            _ = take(2)
            if size == 0 { return body }
        }
    }

    private func fill() -> Bool {
        guard end == nil else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, 20_000) == 1 else {
            end = .timedOut
            return false
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        if count <= 0 { end = count == 0 ? .closed : .reset }
        buffer += bytes.prefix(max(0, count))
        return count > 0
    }
}

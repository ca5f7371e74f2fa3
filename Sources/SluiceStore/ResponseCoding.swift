import Glibc
import SluiceCore

/// The head of a stored response as bytes, for the database.
enum ResponseCoding {
    private static let version: UInt8 = 1

    static func encode(_ response: StoredResponse) -> [UInt8] {
        let vary = response.vary.isEmpty ? "" : response.vary.joined(separator: ",")
        var size = 1 + 7 * 8 + 3 * 4 + response.httpVersion.utf8.count + response.remoteAddress.utf8.count
        size += vary.utf8.count
        for field in response.fields { size += 8 + field.name.utf8.count + field.value.utf8.count }
        // Written in place: appending piece by piece took as long as the database.
        return [UInt8](capacity: size) { bytes in
            bytes.append(version)
            append(UInt64(response.status), to: &bytes)
            append(UInt64(bitPattern: response.requestTime), to: &bytes)
            append(UInt64(bitPattern: response.responseTime), to: &bytes)
            for print in [response.selector, response.owner] {
                append(print.first, to: &bytes)
                append(print.second, to: &bytes)
            }
            append(response.httpVersion, to: &bytes)
            append(response.remoteAddress, to: &bytes)
            append(vary, to: &bytes)
            for field in response.fields {
                append(field.name, to: &bytes)
                append(field.value, to: &bytes)
            }
        }
    }

    /// - Returns: `nil` for bytes that another version wrote, or that are damaged.
    static func decode(_ bytes: [UInt8], id: ResponseID, url: String, size: Int) -> StoredResponse? {
        var reader = Reader(bytes: bytes)
        guard Database.amounts.contains(Int64(size)), reader.byte() == version, let status = reader.number(),
            let requested = reader.time(), let responded = reader.time(), let first = reader.number(),
            let second = reader.number(), let ownerFirst = reader.number(), let ownerSecond = reader.number(),
            let httpVersion = reader.text(), let address = reader.text(), let vary = reader.text()
        else { return nil }
        var fields: [HeaderField] = []
        while !reader.isAtEnd {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            fields.append(HeaderField(name, value))
        }
        var content = StoredResponse.Content(url: url, status: Int(truncatingIfNeeded: status), fields: fields)
        content.vary = vary.split(separator: ",").map(String.init)
        content.selector = Fingerprint(first: first, second: second)
        content.owner = Fingerprint(first: ownerFirst, second: ownerSecond)
        (content.httpVersion, content.remoteAddress) = (httpVersion, address)
        var response = StoredResponse(content, requestTime: requested, responseTime: responded)
        (response.id, response.size) = (id, size)
        return response
    }

    private static func append(_ number: UInt64, to bytes: inout OutputSpan<UInt8>) {
        precondition(bytes.freeCapacity >= 8, "more than was counted")
        unsafe bytes.withUnsafeMutableBufferPointer { target, count in
            // Sound: what is free was looked at above, and the memory is initialized by this.
            guard let start = target.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: number.littleEndian, as: UInt64.self)
            count += 8
        }
    }

    private static func append(_ text: String, to bytes: inout OutputSpan<UInt8>) {
        let span = text.utf8.span
        precondition(span.count + 4 <= bytes.freeCapacity, "more than was counted")
        unsafe span.withUnsafeBytes { source in
            unsafe bytes.withUnsafeMutableBufferPointer { target, count in
                // Sound: what is free was looked at above, and the memory is initialized by this.
                guard let start = target.baseAddress else { return }
                let length = UInt32(source.count).littleEndian
                unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: length, as: UInt32.self)
                if let from = source.baseAddress { unsafe memcpy(start + count + 4, from, source.count) }
                count += 4 + source.count
            }
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func byte() -> UInt8? {
            guard index < bytes.count else { return nil }
            defer { index += 1 }
            return bytes[index]
        }

        mutating func number(bytes count: Int = 8) -> UInt64? {
            guard index + count <= bytes.count else { return nil }
            defer { index += count }
            return (0..<count).reduce(0) { $0 | UInt64(bytes[index + $1]) << UInt64($1 * 8) }
        }

        /// `nil` too for what is no time, and would trap where ages are worked out.
        mutating func time() -> Int64? {
            number().flatMap { Int64(exactly: $0) }.flatMap { Database.amounts.contains($0) ? $0 : nil }
        }

        mutating func text() -> String? {
            guard let count = number(bytes: 4).map({ Int($0) }), index + count <= bytes.count else { return nil }
            defer { index += count }
            return String(decoding: bytes[index..<index + count], as: UTF8.self)
        }
    }
}

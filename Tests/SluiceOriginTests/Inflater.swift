/// Decodes deflate streams as in RFC 1951, slowly and strictly, to check what the origin sends.
struct Inflater {
    struct Broken: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private(set) var output: [UInt8] = []

    /// Decodes gzip, checksum and length included.
    static func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B, 8, 0]) else { throw Broken() }
        var inflater = Inflater(Array(bytes.dropFirst(10)))
        try inflater.run()
        let tail = inflater.rest
        guard tail.count == 8, little(tail.suffix(4)) == inflater.output.count,
            little(tail.prefix(4)) == crc(inflater.output)
        else { throw Broken() }
        return inflater.output
    }

    /// Decodes zlib, checksum included.
    static func unzlib(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.count > 2, (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31), bytes[0] == 0x78 else {
            throw Broken()
        }
        var inflater = Inflater(Array(bytes.dropFirst(2)))
        try inflater.run()
        var (low, high) = (1, 0)
        for byte in inflater.output {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        guard inflater.rest.elementsEqual([high >> 8, high & 255, low >> 8, low & 255].map { UInt8($0) }) else {
            throw Broken()
        }
        return inflater.output
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var rest: ArraySlice<UInt8> { bytes[((position + 7) / 8)...] }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try stored()
            case 2: try dynamic()
            default: throw Broken()
            }
        }
    }

    private mutating func stored() throws {
        position = (position + 7) / 8 * 8
        let (size, inverse) = (try bits(16), try bits(16))
        guard size == inverse ^ 0xFFFF, position / 8 + size <= bytes.count else { throw Broken() }
        output += bytes[position / 8..<position / 8 + size]
        position += size * 8
    }

    private mutating func dynamic() throws {
        let (literals, distances, lengths) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        var codeLengths = [Int](repeating: 0, count: 19)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        for symbol in order.prefix(lengths) { codeLengths[symbol] = try bits(3) }
        let codes = Self.codes(codeLengths)
        var all: [Int] = []
        while all.count < literals + distances {
            switch try symbol(codes) {
            case 18: all += [Int](repeating: 0, count: try bits(7) + 11)
            case let length where length < 16: all.append(length)
            default: throw Broken()
            }
        }
        let (literalCodes, distanceCodes) = (Self.codes(Array(all[..<literals])), Self.codes(Array(all[literals...])))
        while true {
            let symbol = try symbol(literalCodes)
            if symbol < 256 {
                output.append(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                guard symbol == 285, try self.symbol(distanceCodes) == 0, let last = output.last else { throw Broken() }
                output += [UInt8](repeating: last, count: 258)
            }
        }
    }

    /// From length and code to symbol; codes are numbered by length, then by symbol.
    private static func codes(_ lengths: [Int]) -> [[Int]: Int] {
        var (codes, code): ([[Int]: Int], Int) = ([:], 0)
        for length in 1...15 {
            for (symbol, _) in lengths.enumerated().filter({ $0.element == length }) {
                codes[[length, code]] = symbol
                code += 1
            }
            code <<= 1
        }
        return codes
    }

    private mutating func symbol(_ codes: [[Int]: Int]) throws -> Int {
        var code = 0
        for length in 1...15 {
            code = code << 1 | (try bits(1))
            if let symbol = codes[[length, code]] { return symbol }
        }
        throw Broken()
    }

    private mutating func bits(_ count: Int) throws -> Int {
        var value = 0
        for bit in 0..<count {
            guard position < bytes.count * 8 else { throw Broken() }
            value |= Int(bytes[position / 8] >> (position % 8) & 1) << bit
            position += 1
        }
        return value
    }

    private static func little(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func crc(_ bytes: [UInt8]) -> Int {
        var state: UInt32 = ~0
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
        }
        return Int(~state)
    }
}

internal import Glibc
internal import SluiceCore
internal import SluiceOrigin

/// Cuts a file at random places, restarts its server, often with another version, and downloads on.
///
/// Both versions have one length and one date. Whatever happens, what gets the final name is
/// one of them, whole; never a mixture. And a part of the version that is served is continued
/// wherever the server proves that it is one. The first file has such a part by design.
public struct CutTrial {
    /// What the server says of its versions.
    private enum Validator: CaseIterable {
        case tag
        case date
        case weakTag
        case none

        /// Whether it tells two versions apart, or lets what overlaps do so.
        var isStrong: Bool { self == .tag || self == .date }
    }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let program: String
    private let seed: UInt64
    private var random: SeededRandom

    /// - Parameters:
    ///   - program: Path of `sluice`.
    ///   - seed: From which everything follows.
    public init(program: String, seed: UInt64) {
        (self.program, self.seed) = (program, seed)
        random = SeededRandom(seed: seed)
    }

    /// Runs so many files.
    ///
    /// - Returns: How many answers were cut, and how many of them continued a part.
    /// - Throws: ``TrialFailure`` at the first mixture, or part that could be continued and was not.
    public mutating func run(rounds: Int) throws -> (cuts: Int, continued: Int) {
        var total = (cuts: 0, continued: 0)
        for round in 1...rounds {
            let (cuts, continued) = try runRound(round)
            total = (total.cuts + cuts, total.continued + continued)
        }
        return total
    }

    private mutating func runRound(_ round: Int) throws -> (cuts: Int, continued: Int) {
        let folder = try TemporaryDirectory()
        let size = Int.random(in: 2_000...600_000, using: &random)
        let versions = [0, 1].map { _ in bytes(size) }
        let isFirst = round == 1
        let validator = isFirst ? .tag : Validator.allCases.randomElement(using: &random) ?? .tag
        let cuts = isFirst ? 1 : Int.random(in: 1...3, using: &random)
        let continued = SharedValue(0)
        var expected = 0
        var (port, version): (UInt16, Int) = (0, 0)
        for cut in 0...cuts {
            if cut > 0, !isFirst, Bool.random(using: &random) { version = 1 - version }
            let fault: OriginResponse.Fault? =
                if cut == cuts { nil } else if isFirst { .close(after: size / 2) } else { fault(size) }
            let (body, shown) = (versions[version], version)
            if validator.isStrong, let part = folder.contents(of: "data.bin.part"), !part.isEmpty,
                part.elementsEqual(body.prefix(part.count))
            {
                expected += 1
            }
            let origin = try Origin(port: port)
            port = origin.port
            origin.route("/data.bin") { request, _ in
                var answer = Self.answer(body, validator, shown, request)
                if answer.status == 206 { continued.change { $0 += 1 } }
                answer.fault = fault
                return answer
            }
            let child = try ChildProcess(
                program,
                arguments: ["get", "-q", "--retries", "0", origin.url("/data.bin")],
                environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path + "/state"],
                directory: folder.path
            )
            let result = child.finish(within: .seconds(60))
            origin.close()
            // A rest that is shorter than the place of its cut is whole all the same.
            let isCut = fault != nil
            guard result.exit == .exited(0) || isCut && result.exit == .exited(1) else {
                throw TrialFailure(
                    "it ended with \(String(describing: result.exit)): \(result.errorText)",
                    seed: seed,
                    round: round
                )
            }
            try check(folder, versions, isComplete: !isCut, round)
            if folder.names.contains("data.bin") { break }
        }
        guard continued.value >= expected else {
            throw TrialFailure(
                "\(expected) parts could be continued, and \(continued.value) were",
                seed: seed,
                round: round
            )
        }
        return (cuts, continued.value)
    }

    private func check(
        _ folder: TemporaryDirectory,
        _ versions: [[UInt8]],
        isComplete: Bool,
        _ round: Int
    ) throws {
        let files = folder.names.filter { $0.hasPrefix("data") }
        if let saved = folder.contents(of: "data.bin"), !versions.contains(saved) {
            throw TrialFailure("what was saved is neither version", seed: seed, round: round)
        }
        guard isComplete else { return }
        if files != ["data.bin"] { throw TrialFailure("the directory has \(files)", seed: seed, round: round) }
    }

    /// Where it breaks: within the head, or the body.
    private mutating func fault(_ size: Int) -> OriginResponse.Fault {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nETag: \"0\"\r\n\r\n".utf8)
            return .raw(Array(head.prefix(Int.random(in: 0..<head.count, using: &random))))
        case 1: return .reset(after: Int.random(in: 0..<size, using: &random))
        default: return .close(after: Int.random(in: 0..<size, using: &random))
        }
    }

    private static func answer(
        _ body: [UInt8],
        _ validator: Validator,
        _ version: Int,
        _ request: OriginRequest
    ) -> OriginResponse {
        let tag: String? =
            switch validator {
            case .tag: "\"v\(version)\""
            case .weakTag: "W/\"v\(version)\""
            case .date, .none: nil
            }
        var answer = OriginResponse.resource(
            .bytes(body),
            for: request,
            etag: tag,
            lastModified: validator == .none ? nil : date
        )
        answer.headers.append(HeaderField("Date", "Mon, 07 Nov 1994 08:49:37 GMT"))
        return answer
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            var word = random.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}

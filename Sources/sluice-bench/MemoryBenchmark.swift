internal import ArgumentParser
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePictures

/// Peak memory of `sluice get` for bodies and images that are too large to hold.
struct MemoryBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Peak memory for 1 GiB bodies, and for an image that is refused."
    )

    private static let gibibyte = 1_073_741_824
    /// In MiB.
    private static let bodyBound = 64
    /// Over what a 1 x 1 image costs, in MiB and seconds.
    private static let bombBound = (memory: 20, time: 0.05)

    func run() throws {
        printMachine()
        let origin = try Origin()
        let folder = try ScratchFolder()
        try measureBodies(origin, folder)
        try measureBomb(origin, folder)
        origin.close()
    }

    private func measureBodies(_ origin: Origin, _ folder: ScratchFolder) throws {
        let size = Self.gibibyte
        origin.route("/plain", OriginResponse(body: .pattern(count: size)))
        origin.route("/chunked") { _, _ in
            var answer = OriginResponse(body: .pattern(count: size))
            answer.framing = .chunked(size: 65_536)
            return answer
        }
        origin.route("/gzip") { _, _ in
            var answer = OriginResponse(body: .zeros(count: size))
            answer.encoding = .gzip
            return answer
        }
        // Zeros shrink 1030 to 1, which a file may only do below the bomb's ratio.
        origin.route("/gzip-honest") { _, _ in
            var answer = OriginResponse(body: .pattern(count: size))
            answer.encoding = .gzip
            return answer
        }
        print("\npeak memory for 1 GiB, bound \(Self.bodyBound) MiB")
        for (path, isRefused) in [("/plain", false), ("/chunked", false), ("/gzip-honest", false), ("/gzip", true)] {
            for saves in [true, false] {
                folder.empty("out")
                let target = saves ? ["--dir", folder.path + "/out"] : ["--no-save"]
                let sample = try Run(
                    arguments: [sluicePath(), "get", "-q", "--events", folder.path + "/events", origin.url(path)]
                        + target,
                    home: folder.empty("home")
                ).measure(expecting: isRefused ? 1 : 0, watchesMemory: true)
                if isRefused { try checkRefusal(folder) }
                let memory = sample.peakMemory / 1024
                let kept = verdict(memory < Self.bodyBound)
                print(
                    "  \(path.padded(14)) \((saves ? "saved" : "--no-save").padded(10)) \(memory) MiB,",
                    "\(fixed(sample.wall, 2)) s\(isRefused ? ", refused as a bomb" : ""): \(kept)"
                )
            }
        }
    }

    /// Makes sure that the program failed for what is measured.
    private func checkRefusal(_ folder: ScratchFolder) throws {
        let events = String(decoding: try folder.read("events"), as: UTF8.self)
        guard events.contains("\"tooLarge\"") else {
            throw BenchmarkFailure(message: "what is too large was not refused for that:\n\(events)")
        }
    }

    private func measureBomb(_ origin: Origin, _ folder: ScratchFolder) throws {
        origin.route(
            "/tiny.png",
            .bytes(ImageEncoder.png(Bitmap(width: 1, height: 1, pixels: [9, 9, 9, 255])), type: "image/png")
        )
        origin.route("/bomb.png", .bytes(HugePNG.bytes(width: 30_000, height: 30_000), type: "image/png"))
        var (tiny, bomb): ([Sample], [Sample]) = ([], [])
        for _ in 0..<9 {
            tiny.append(try image("/tiny.png", origin, folder, status: 0))
            bomb.append(try image("/bomb.png", origin, folder, status: 1))
        }
        let memory = (bomb.map(\.peakMemory).max() ?? 0) - (tiny.map(\.peakMemory).max() ?? 0)
        let time = Spread(bomb.map(\.wall)).median - Spread(tiny.map(\.wall)).median
        let isKept = memory / 1024 <= Self.bombBound.memory && time <= Self.bombBound.time
        print("\na 30,000 x 30,000 PNG is refused, over what a 1 x 1 PNG costs (medians of 9)")
        print("  \(memory) KiB and \(fixed(time * 1000, 1)) ms more: \(verdict(isKept))")
    }

    private func image(_ path: String, _ origin: Origin, _ folder: ScratchFolder, status: Int32) throws -> Sample {
        let events = ["--events", folder.path + "/events"]
        let arguments = [sluicePath(), "get", "-q", "--no-save", origin.url(path)] + events
        let run = Run(arguments: arguments, home: folder.empty("home"))
        let sample = try run.measure(expecting: status, watchesMemory: true)
        if status != 0 { try checkRefusal(folder) }
        return sample
    }
}

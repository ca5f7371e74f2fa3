internal import ArgumentParser
internal import Glibc
internal import SluiceTestTLS

/// `sluice get` against `curl --parallel` and others over nginx on loopback.
struct TransfersBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "sluice get against curl --parallel, interleaved; needs curl and nginx."
    )

    @Option(help: "Rounds of each program, after one that does not count.")
    var rounds = 9

    @Flag(help: "Also run aria2c and wget2, where installed.")
    var others = false

    @Option(help: "Run only the workloads whose names contain this, such as HTTPS.")
    var only: String?

    /// One workload: some files of one size.
    private struct Load {
        let name: String
        let count: Int
        /// In bytes.
        let size: Int
        let saves: Bool
        var isSecure = false
        /// Of curl's wall time.
        let bound: Double

        /// Whether it shows how fast the server is: it is all that is done.
        var showsServer: Bool { size < 1_048_576 && !saves && !isSecure }
    }

    private static let loads = [
        Load(name: "2000 x 20 KiB to memory", count: 2000, size: 20_480, saves: false, bound: 0.90),
        Load(name: "2000 x 20 KiB to files", count: 2000, size: 20_480, saves: true, bound: 1.10),
        Load(name: "2000 x 20 KiB over HTTPS", count: 2000, size: 20_480, saves: false, isSecure: true, bound: 1.10),
        Load(name: "64 x 8 MiB to files", count: 64, size: 8_388_608, saves: true, bound: 0.85),
        Load(name: "1 x 1 GiB to a file", count: 1, size: 1_073_741_824, saves: true, bound: 0.80),
    ]
    /// Requests a second that nginx must show to curl: else the server is what is measured.
    private static let leastRequests = 15_000.0

    func validate() throws { try check("rounds", rounds) }

    func run() throws {
        printMachine()
        var isVoid = false
        let wanted = only?.lowercased() ?? ""
        guard (Self.loads.map(\.name) + ["https handshakes"]).contains(where: { matches(wanted, $0) }) else {
            let names = Self.loads.map(\.name).joined(separator: ", ")
            throw BenchmarkFailure(message: "no workload's name contains \(wanted): \(names), HTTPS handshakes")
        }
        for load in Self.loads where matches(wanted, load.name) {
            try measure(load, isVoid: &isVoid)
        }
        if matches(wanted, "https handshakes") { try measureHandshakes() }
        if !Self.loads.contains(where: { $0.showsServer && matches(wanted, $0.name) }) {
            print("\nhow fast nginx is was not looked at: that takes 2000 x 20 KiB to memory")
        }
        if isVoid { throw BenchmarkFailure(message: "void: the server was the bottleneck") }
    }

    private func matches(_ wanted: String, _ name: String) -> Bool {
        wanted.isEmpty || name.lowercased().contains(wanted)
    }

    private func measure(_ load: Load, isVoid: inout Bool) throws {
        let folder = try ScratchFolder()
        let root = folder.makeFolder("www")
        let block = (0..<min(load.size, 1_048_576)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        for number in 0..<load.count {
            try folder.write("www/f\(number).bin", block, times: max(1, load.size / block.count))
        }
        if load.isSecure { try makeCertificate(folder) }
        let server = try Nginx(folder, root: root)
        let base = load.isSecure ? server.secureURL : server.baseURL
        let urls = (0..<load.count).map { "\(base)/f\($0).bin" }
        try folder.write("urls", Array((urls.joined(separator: "\n") + "\n").utf8))
        let out = folder.makeFolder("out")
        let lines = urls.enumerated().map { number, url in
            "url = \"\(url)\"\noutput = \"\(load.saves ? "\(out)/f\(number).bin" : "/dev/null")\"\n"
        }
        try folder.write("curl", Array(lines.joined().utf8))
        let programs = programs(load, folder, out)
        var samples: [String: [Sample]] = [:]
        for round in 0...rounds {
            // Rotated, so that no program always follows the same one.
            for index in programs.indices {
                var (name, run) = programs[(index + round) % programs.count]
                folder.empty("out")
                run.home = folder.empty("home")
                let sample = try run.measure()
                if round > 0 { samples[name, default: []].append(sample) }
            }
        }
        report(load, programs.map(\.name), samples, isVoid: &isVoid)
    }

    /// What the system's authorities cost a connection: whole handshakes with them, and with one certificate.
    private func measureHandshakes() throws {
        let count = 200
        let folder = try ScratchFolder()
        let root = folder.makeFolder("www")
        for number in 0..<count { try folder.write("www/f\(number).bin", [1]) }
        try makeCertificate(folder)
        let server = try Nginx(folder, root: root)
        let urls = (0..<count).map { "\(server.freshURL)/f\($0).bin" }
        try folder.write("urls", Array((urls.joined(separator: "\n") + "\n").utf8))
        let get = [
            sluicePath(), "get", "-q", "--no-http-cache", "--no-save", "-i", folder.path + "/urls", "--max-active", "4",
        ]
        let programs = [
            Run(arguments: get + ["--insecure", "127.0.0.1"]),
            Run(arguments: get + ["--cacert", folder.path + "/server.pem"]),
        ]
        var samples: [[Sample]] = [[], []]
        for round in 0...rounds {
            for index in [round % 2, 1 - round % 2] {
                var program = programs[index]
                program.home = folder.empty("home")
                let sample = try program.measure()
                if round > 0 { samples[index].append(sample) }
            }
        }
        let walls = samples.map { Spread($0.map(\.wall)).median / Double(count) * 1_000 }
        let times = samples.map { Spread($0.map(\.cpu)).median / Double(count) * 1_000 }
        print("\n\(count) HTTPS handshakes, none resumed, 4 at once, \(rounds) rounds, medians a connection")
        print("  system's authorities: wall \(fixed(walls[0])) ms, CPU \(fixed(times[0])) ms")
        print("  one certificate:      wall \(fixed(walls[1])) ms, CPU \(fixed(times[1])) ms")
        // Loading them takes some 20 ms, which is allowed once a run and not once a connection.
        let stall = times[0] - times[1]
        print("  stall \(fixed(stall)) ms CPU a connection; bound 1.0 ms: \(verdict(stall <= 1.0))")
    }

    private func programs(_ load: Load, _ folder: ScratchFolder, _ out: String) -> [(name: String, run: Run)] {
        let list = folder.path + "/urls"
        let target = load.saves ? ["--dir", out] : ["--no-save"]
        let trust = load.isSecure ? ["--cacert", folder.path + "/server.pem"] : []
        var programs = [
            (
                "curl",
                Run(
                    arguments: [
                        "curl", "-sS", "--no-progress-meter", "-Z", "--parallel-max", "4", "-K", folder.path + "/curl",
                    ] + trust
                )
            ),
            (
                "sluice",
                Run(
                    arguments: [sluicePath(), "get", "-q", "--no-http-cache", "-i", list, "--max-active", "4"] + target
                        + trust
                )
            ),
        ]
        if others, load.saves {
            programs.append(
                (
                    "aria2c",
                    Run(arguments: [
                        "aria2c", "-q", "-j4", "-x1", "-s1", "--file-allocation=none", "-d", out, "-i", list,
                    ])
                )
            )
            programs.append(("wget2", Run(arguments: ["wget2", "-q", "--max-threads=4", "-P", out, "-i", list])))
        }
        return programs
    }

    /// A certificate for loopback that is its own authority.
    private func makeCertificate(_ folder: ScratchFolder) throws {
        var wishes = TestCertificate.Wishes("sluice-bench")
        wishes.names = ["127.0.0.1"]
        let certificate = TestCertificate(wishes)
        try folder.write("server.pem", Array(certificate.pem.utf8))
        try folder.write("server.key", Array(certificate.keyPEM.utf8))
    }

    private func report(_ load: Load, _ names: [String], _ samples: [String: [Sample]], isVoid: inout Bool) {
        print("\n\(load.name), 4 at once, \(rounds) rounds, medians (least to greatest)")
        let curl = Spread((samples["curl"] ?? []).map(\.wall))
        let curlCPU = Spread((samples["curl"] ?? []).map(\.cpu))
        for name in names {
            let of = samples[name] ?? []
            let (wall, cpu) = (Spread(of.map(\.wall)), Spread(of.map(\.cpu)))
            let memory = of.map(\.peakMemory).max() ?? 0
            // It can't be told from this program's own where it is no more than that.
            let words = memory > ProcessFigures(pid: getpid()).peakResident ? "peak" : "peak at most"
            print(
                "  \(name.padded(8)) wall \(fixed(wall.median)) s (\(fixed(wall.least)) to \(fixed(wall.greatest)))",
                "= \(fixed(wall.median / curl.median, 2)) x curl;",
                "CPU \(fixed(cpu.median)) s = \(fixed(cpu.median / curlCPU.median, 2)) x; \(words) \(memory / 1024) MiB"
            )
        }
        let ratio = Spread((samples["sluice"] ?? []).map(\.wall)).median / curl.median
        print("  bound \(fixed(load.bound, 2)): \(verdict(ratio <= load.bound))")
        guard load.showsServer else { return }
        let rate = Double(load.count) / curl.median
        print("  nginx showed curl \(fixed(rate, 0)) requests/s; needed \(fixed(Self.leastRequests, 0))")
        if rate < Self.leastRequests { isVoid = true }
    }
}

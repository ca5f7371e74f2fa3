internal import Glibc
internal import SluiceSystem

/// What the kernel says of a running process.
struct ProcessFigures {
    let pid: Int32

    /// Resident memory now, in KiB.
    var resident: Int { status("VmRSS") }
    /// The most resident memory so far, in KiB.
    var peakResident: Int { status("VmHWM") }
    /// Voluntary context switches of all threads.
    var voluntarySwitches: Int {
        threads.reduce(0) {
            $0 + Self.field("voluntary_ctxt_switches", of: Self.read("/proc/\(pid)/task/\($1)/status"))
        }
    }
    /// User and system time, in the kernel's ticks of 10 ms.
    var ticks: Int {
        let text = Self.read("/proc/\(pid)/stat")
        // The name may hold anything but is in parentheses.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
    }
    /// Seconds on a core of all threads, to the nanosecond where the kernel counts so.
    var cpu: Double { threads.reduce(0) { $0 + cpu(ofThread: $1) } }
    /// As ``cpu``, of the first thread, which draws.
    var firstThreadCPU: Double { cpu(ofThread: pid) }

    private func cpu(ofThread thread: Int32) -> Double {
        let text = Self.read("/proc/\(pid)/task/\(thread)/schedstat")
        return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }

    private var threads: [Int32] {
        FolderListing.names(in: "/proc/\(pid)/task").compactMap { Int32($0) }
    }

    private func status(_ name: String) -> Int { Self.field(name, of: Self.read("/proc/\(pid)/status")) }

    /// The number behind `name:`; 0 if there is none.
    private static func field(_ name: String, of text: String) -> Int {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split { $0 == "\t" || $0 == " " }.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func read(_ path: String) -> String {
        guard let file = unsafe fopen(path, "r") else { return "" }
        defer { unsafe fclose(file) }
        return unsafe String(unsafeUninitializedCapacity: 8_192) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    }
}

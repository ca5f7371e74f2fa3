import Glibc
import SluiceTestSupport

/// What the system says of a process, without reading what it writes.
struct ProcessState {
    private let identifier: Int32

    init(_ identifier: Int32) { self.identifier = identifier }

    /// Whether it is gone, though nobody has asked how yet.
    var hasEnded: Bool { field("State")?.first == "Z" }

    /// Whether a signal has stopped it, and none has it go on yet.
    var isStopped: Bool { field("State")?.first == "T" }

    /// Whether a signal was sent that no thread has taken yet.
    func isPending(_ signal: Int32) -> Bool { holds(signal, "ShdPnd") }

    /// Whether it does something of its own about a signal.
    func catches(_ signal: Int32) -> Bool { holds(signal, "SigCgt") }

    private func holds(_ signal: Int32, _ mask: String) -> Bool {
        (field(mask).flatMap { UInt64($0, radix: 16) } ?? 0) & 1 << (signal - 1) != 0
    }

    /// Looks again and again until a condition holds.
    ///
    /// - Returns: Whether it did in time.
    func wait(within limit: Duration = .patience, until isDone: (ProcessState) -> Bool) -> Bool {
        let end = ContinuousClock.now + limit
        while !isDone(self) {
            guard ContinuousClock.now < end else { return false }
            poll(nil, 0, 2)
        }
        return true
    }

    private func field(_ name: String) -> Substring? {
        guard let file = unsafe fopen("/proc/\(identifier)/status", "r") else { return nil }
        defer { unsafe fclose(file) }
        let text = unsafe String(unsafeUninitializedCapacity: 8_192) { unsafe fread($0.baseAddress, 1, $0.count, file) }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.dropFirst(name.count + 1).drop { $0 == "\t" }
    }
}

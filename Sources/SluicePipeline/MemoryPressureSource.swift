internal import CLinux
internal import Glibc
internal import SluiceSystem

/// Where the kernel tells that memory is short: something to wait for with `poll`.
///
/// Owns a descriptor, until ``close()``.
struct MemoryPressureSource {
    private enum Kind {
        /// A trigger of pressure stall information, with which each readiness is news.
        case trigger
        /// The events of a control group, of which some count.
        case events(count: Int)
    }

    let descriptor: Int32
    private var kind: Kind

    /// Tasks that stalled on memory for 300 ms of two seconds: who may not change the system's limits can watch for
    /// periods of whole two seconds only.
    static let trigger = "some 300000 2000000"

    /// Opens the first that there is: the system's pressure, that of the process's own control group, or the events of
    /// that group.
    ///
    /// - Parameters:
    ///   - system: The folder of the system's pressure.
    ///   - groups: The folders where the process's own control group may be; see ``groups(_:)``.
    /// - Returns: `nil` if the kernel tells this process nothing.
    static func open(
        system: String = "/proc/pressure",
        groups: [String] = groups(String(decoding: contents(of: "/proc/self/cgroup"), as: UTF8.self))
    ) -> MemoryPressureSource? {
        for path in ["\(system)/memory"] + groups.map({ "\($0)/memory.pressure" }) {
            let descriptor = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // The kernel wants the terminating zero, too.
            let written = unsafe trigger.withCString { unsafe write(descriptor, $0, trigger.utf8.count + 1) }
            if written > 0 { return MemoryPressureSource(descriptor: descriptor, kind: .trigger) }
            CLinux.close(descriptor)
        }
        for group in groups {
            let descriptor = unsafe Glibc.open("\(group)/memory.events", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            return MemoryPressureSource(descriptor: descriptor, kind: .events(count: shortages(in: read(descriptor))))
        }
        return nil
    }

    func close() { _ = CLinux.close(descriptor) }

    /// Takes what `poll` said of the descriptor.
    ///
    /// - Returns: Whether memory is short; `nil` if the kernel takes the source back, and nothing follows.
    mutating func take(_ bits: Int16) -> Bool? {
        guard bits & Int16(POLLPRI | POLLERR) != 0 else { return false }
        switch kind {
        case .trigger: return bits & Int16(POLLERR) != 0 ? nil : true
        case .events(let before):
            // Read anew, which also lets the next wait begin.
            let count = Self.shortages(in: Self.read(descriptor))
            kind = .events(count: count)
            return count > before
        }
    }

    /// Where the process's own control group of the second version may be.
    ///
    /// - Parameter table: What `/proc/self/cgroup` says.
    /// - Returns: Folders; none without such a group.
    /// - SeeAlso: cgroups(7).
    static func groups(_ table: String) -> [String] {
        guard let line = table.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        let path = line.dropFirst(3)
        return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map { path == "/" ? $0 : $0 + path }
    }

    /// How often a control group ran into one of its limits.
    ///
    /// - Parameter events: What its `memory.events` says.
    /// - Returns: The sum of those that count.
    /// - SeeAlso: The kernel's `Documentation/admin-guide/cgroup-v2.rst`.
    static func shortages(in events: [UInt8]) -> Int {
        var sum = 0
        for line in String(decoding: events, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, ["high", "max", "oom"].contains(words[0]), let count = Int(words[1]) else {
                continue
            }
            sum = sum.addingReportingOverflow(count).partialValue
        }
        return sum
    }

    private static func contents(of path: String) -> [UInt8] {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { CLinux.close(descriptor) }
        return read(descriptor)
    }

    private static func read(_ descriptor: Int32) -> [UInt8] { FileBytes.read(descriptor, 4_096, at: 0) }
}

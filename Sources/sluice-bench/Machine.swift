internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// Says on what the figures were measured, and how busy it was.
func printMachine() {
    var name = utsname()
    unsafe uname(&name)
    let release = unsafe withUnsafePointer(to: &name.release) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 65) { unsafe String(cString: $0) }
    }
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    #if DEBUG
    let build = "debug (figures of a debug build mean nothing)"
    #else
    let build = "release"
    #endif
    var load = [0.0]
    unsafe getloadavg(&load, 1)
    print("machine: Linux \(release), \(cores) cores, load before \(fixed(load[0], 1)); build: \(build)")
}

/// Seconds of the monotonic clock.
func now() -> Double { Double(MonotonicClock.now().nanoseconds) / 1e9 }

/// The release build of sluice beside this program.
func sluicePath() -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/sluice"
}

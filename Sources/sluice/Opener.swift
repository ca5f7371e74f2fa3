internal import SluiceCore
internal import SluicePipeline

/// Opens a file with what the desktop has for it.
///
/// It outlives the dashboard, and never writes on its terminal.
enum Opener {
    private static let program = "xdg-open"

    /// - Parameter path: Absolute.
    /// - Returns: Why it could not be started, or `nil`.
    static func open(_ path: String) -> String? {
        do throws(DetachedProcess.Failure) {
            let process = try DetachedProcess([program, path])
            // A thread of its own: the program may run for hours, and must not stay a zombie after.
            let waiter = BlockingPool(threads: 1)
            waiter.add(.normal) {
                process.wait()
                waiter.close()
            }
            return nil
        } catch {
            if error.isMissing { return "can't open it: \(program), which asks the desktop to, is not installed" }
            return "can't open it: \(program): \(error.message)"
        }
    }
}

internal import SluiceSystem

/// Sets libcurl and its TLS library up beside what else a start has to do.
///
/// They take as long as reading a command line does, and whoever makes the first ``CurlTransport`` waits for them.
/// Source: curl_global_init(3).
public enum CurlPreparation {
    /// Has a thread of its own do it while `body` runs, and waits for both: libraries that still set themselves up can't be
    /// taken down by the end of a process.
    ///
    /// Where there is no thread to be had, the first transport does it.
    public static func run<Result, Failure>(beside body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let thread = WorkerThread.start { _ = CurlLibrary.isReady }
        defer { thread?.join() }
        return try body()
    }
}

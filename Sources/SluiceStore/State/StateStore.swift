import Glibc
public import SluiceCore
import SluiceSystem

/// Parts, known files, and the queues of dashboards, in one SQLite file of the user's.
///
/// A thread of its own opens the file, reads what is to be continued, and writes what
/// changes, in the order of the calls; many changes that wait become one transaction. No
/// call waits for the disk. Two processes may have the same file: each has a session of its
/// own, and takes over those whose process is gone.
public final class StateStore: StateKeeping {
    /// What is kept, and where.
    public struct Configuration: Sendable {
        /// The folder; made if missing, for its owner only.
        public var folder: String
        /// The destination directory, links resolved: its parts, known files and queues are read.
        ///
        /// `nil` where no files are saved: then there are none, and only the queues of such sessions are read.
        public var directory: String?
        /// Whether a queue is kept, and those of dead processes are taken over.
        public var keepsQueue: Bool
        /// Whether this start has the queue suspended; `nil` leaves it as an earlier process had it.
        public var suspension: Bool?
        /// Whether what earlier processes left stays where it is.
        public var startsFresh = false
        /// Known files of one directory that outlast a start: those that were saved last.
        public var fileLimit = 100_000
        /// How long another program is waited for that has the file locked.
        public var patience = Duration.seconds(5)
        /// Goes on where earlier processes left; see the properties for what else can be said.
        public init(folder: String, directory: String?, keepsQueue: Bool) {
            (self.folder, self.directory, self.keepsQueue) = (folder, directory, keepsQueue)
        }
    }

    private struct Job: Sendable {
        var changes: [StateChange]
        var saved: @Sendable (StateProblem?) -> Void
    }

    private let configuration: Configuration
    private let jobs = JobThread<Job>()
    /// Requests that will be restored, once it is known.
    private let restorable = Locked<Int?>(nil)
    /// Rings once ``restorable`` is known.
    private let counted = Doorbell(waits: true)

    /// Makes a store that touches no file before it is used.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Reads what earlier processes left; at most once, and before anything is saved.
    ///
    /// - Parameter loaded: Gets it, on the store's thread.
    public func load(_ loaded: @escaping @Sendable (RememberedState) -> Void) {
        let isFirst = jobs.start { WorkerThread { [self] in serve(loaded) } }
        precondition(isFirst, "a store is loaded once, and first")
    }

    /// Whether there is anything to read in a folder.
    public static func exists(in folder: String) -> Bool { unsafe access(path(in: folder), F_OK) == 0 }

    /// Requests of earlier sessions that are about to be restored; waits until that is known.
    public var restorableCount: Int {
        if let count = restorable.withLock({ $0 }) { return count }
        counted.answer()
        return restorable.withLock { $0 } ?? 0
    }

    /// Hands the changes to the store's thread, which it starts if need be; `saved` is called there.
    public func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void) {
        let job = Job(changes: changes, saved: saved)
        jobs.add(else: { WorkerThread { [self] in serve(nil) } }) { $0.append(job) }
    }

    /// Writes what was handed over, and ends the thread; blocks until then.
    ///
    /// Its owner's to call, once the loop has ended: what a pipeline hands over later is never answered, and it waits
    /// for that.
    public func close() { jobs.close() }

    static func path(in folder: String) -> String { folder + "/state.sqlite" }

    private func serve(_ loaded: (@Sendable (RememberedState) -> Void)?) {
        var writer = StateWriter(configuration)
        if let loaded {
            let (state, chores) = writer.read { count in self.noteRestorable(count) }
            noteRestorable(0)
            loaded(state)
            writer.tidy(chores)
        }
        noteRestorable(0)
        var jobs: [Job] = []
        while self.jobs.next(&jobs) != nil {
            let outcome = writer.write(jobs.map(\.changes))
            for job in jobs { job.saved(outcome) }
        }
        writer.end()
    }

    private func noteRestorable(_ count: Int) {
        let isNew = restorable.withLock { restorable in
            guard restorable == nil else { return false }
            restorable = count
            return true
        }
        if isNew { counted.ring() }
    }
}

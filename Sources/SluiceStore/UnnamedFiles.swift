import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// Files in the destination directory that have no name yet, for small bodies that are at hand.
///
/// Nobody else sees such a file, so it needs no lock, and it goes with the process. The store's thread takes one for each
/// body; while bodies come one right behind the other, the writer's thread makes the next ones beside its work. Where
/// there are none, or the disk keeps the store waiting, bodies are the writer's for a while. Source: `O_TMPFILE` of
/// open(2).
final class UnnamedFiles: Sendable {
    private struct State {
        /// Empty files that lie ready, the oldest first.
        var spares = Queue<(descriptor: Int32, made: Timestamp)>()
        var lastTaken: Timestamp?
        /// Whether the last two were taken one right behind the other.
        var areWanted = false
        /// Until when the store's thread leaves the disk alone.
        var pause: Timestamp?
        var areImpossible = false
    }

    /// How long a file may lie ready.
    ///
    /// What it becomes must not look older than a body that came before; times of files come from a clock that ticks
    /// every 1 to 10 ms.
    static let patience = Duration.milliseconds(4)
    /// How long the disk may keep the store's thread waiting before it is left alone.
    static let limit = Duration.milliseconds(5)
    /// How long it is left alone then.
    static let rest = Duration.seconds(1)

    private let folder: Folder
    private let clock: @Sendable () -> Timestamp
    private let state = Locked(State())

    /// - Parameters:
    ///   - folder: The destination directory.
    ///   - clock: Tells how long files lie ready, and how long the disk takes.
    init(in folder: Folder, clock: @escaping @Sendable () -> Timestamp = MonotonicClock.now) {
        (self.folder, self.clock) = (folder, clock)
    }

    deinit { close() }

    /// Makes a file of a whole body; for the store's thread.
    ///
    /// - Returns: Its descriptor, which the caller closes; `nil` where the writer shall make it.
    func make(with bytes: Span<UInt8>) -> Int32? {
        let start = clock()
        guard let file = take(now: start) else { return nil }
        let error = BlockWriter.write(bytes, file, at: 0)
        let now = clock()
        if now - start > Self.limit { state.withLock { $0.pause = now + Self.rest } }
        if error == 0 { return file }
        Glibc.close(file)
        return nil
    }

    /// Makes one more if it is likely to be taken at once; for the writer's thread.
    func refill() {
        guard state.withLock({ $0.areWanted && !$0.areImpossible }) else { return }
        // Before the file is: it must not lie longer than it seems.
        let made = clock()
        let file = sluice_open_unnamed(folder.descriptor)
        if file >= 0 { state.withLock { $0.spares.append((file, made)) } }
    }

    /// Lets go of those that lie ready; nobody may refill any more.
    func close() {
        while let spare = state.withLock({ $0.spares.popFirst() }) { Glibc.close(spare.descriptor) }
    }

    private func take(now: Timestamp) -> Int32? {
        while true {
            let (mayTake, spare) = state.withLock { state -> (Bool, (descriptor: Int32, made: Timestamp)?) in
                if state.areImpossible || state.pause.map({ now < $0 }) ?? false { return (false, nil) }
                state.areWanted = state.lastTaken.map { now - $0 <= Self.patience } ?? false
                return (true, state.spares.popFirst())
            }
            guard mayTake else { return nil }
            guard let spare else { return open(now: now) }
            if now - spare.made <= Self.patience {
                state.withLock { $0.lastTaken = now }
                return spare.descriptor
            }
            Glibc.close(spare.descriptor)
        }
    }

    private func open(now: Timestamp) -> Int32? {
        let file = sluice_open_unnamed(folder.descriptor)
        // What else fails, as for want of descriptors, may pass, and is the writer's to tell.
        let isImpossible = file < 0 && [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(errno)
        state.withLock { ($0.lastTaken, $0.areImpossible) = (now, isImpossible) }
        return file < 0 ? nil : file
    }
}

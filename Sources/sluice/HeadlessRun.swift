internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal

/// One run of `sluice get`: feeds its lists, then standard input, and waits for the end.
///
/// All that it hears comes through one `poll`.
struct HeadlessRun {
    let session: Session
    let report: HeadlessReport
    let signals: SignalWatch
    /// Rung by a program that wants it to quit.
    let quitBell: Doorbell
    /// What is left of the lists.
    var feed: ListFeed
    /// Lines of standard input; `nil` if it is not read, or was read to its end.
    var input: StandardInputList?
    /// Whether requests come over the socket only, so that nothing to do is not the end.
    let staysForPrograms: Bool

    private(set) var ending = Ending.done

    /// How it came to its end.
    enum Ending {
        case done
        case stopped
        /// Lines of standard input are unread.
        case stoppedWithinList
        /// Lines of files are unread, which are still there next time.
        case stoppedWithinFile
    }

    /// Returns once the pipeline has ended; passes a signal or a program's wish to stop on.
    ///
    /// - Parameter isFed: Called once, when nothing is left of the lists.
    mutating func serve(isFed: () -> Void) {
        if feed.isEmpty {
            isFed()
            if input == nil, !staysForPrograms { session.pipeline.finishWhenIdle() }
        }
        while !report.isEnded {
            guard let news = wait() else { continue }
            if news.ofReport { report.takeBell() }
            // On a full disk nothing else fits either; the parts stay for the next time.
            let isFull = report.result.isDiskFull && ending == .done
            if isFull || news.ofQuitBell || (news.ofSignals && signals.ending != nil) { stop(isFed: isFed) }
            if !feed.isEmpty {
                feedPiece(isFed: isFed)
            } else if news.ofInput {
                readInput()
            }
        }
    }

    /// What has something to say.
    private struct News {
        var ofReport: Bool
        var ofSignals: Bool
        var ofQuitBell: Bool
        var ofInput: Bool
    }

    /// Waits until something has; between the pieces of a list it only looks.
    ///
    /// - Returns: `nil` if it was interrupted.
    private func wait() -> News? {
        let canStop = ending == .done
        let descriptors = [
            report.bell.descriptor, canStop ? signals.descriptor : -1, canStop ? quitBell.descriptor : -1,
            feed.isEmpty && input != nil ? STDIN_FILENO : -1,
        ]
        var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let count = unsafe poll(&watched, nfds_t(watched.count), feed.isEmpty ? -1 : 0)
        guard count > 0 || count == 0 && !feed.isEmpty else { return nil }
        let speaks = watched.map { $0.revents != 0 }
        return News(ofReport: speaks[0], ofSignals: speaks[1], ofQuitBell: speaks[2], ofInput: speaks[3])
    }

    private mutating func stop(isFed: () -> Void) {
        ending = !feed.isEmpty ? .stoppedWithinFile : input != nil ? .stoppedWithinList : .stopped
        input = nil
        if !feed.isEmpty {
            feed.stop()
            isFed()
        }
        session.shutDown()
        report.hurry()
    }

    private mutating func feedPiece(isFed: () -> Void) {
        if let piece = feed.next(), !piece.isEmpty { session.pipeline.send(.submit(piece)) }
        guard feed.isEmpty else { return }
        isFed()
        if input == nil { session.pipeline.finishWhenIdle() }
    }

    private mutating func readInput() {
        guard let batch = input?.read() else { return }
        if !batch.requests.isEmpty { session.pipeline.send(.submit(batch.requests)) }
        if let failure = batch.failure { feed.fail(failure) }
        if batch.isLast {
            input = nil
            session.pipeline.finishWhenIdle()
        }
    }

    /// What the program ends with, once all requests have their outcomes.
    var status: ExitStatus {
        let result = report.result
        if result.isDiskFull { return .diskFull }
        if ending != .done, result.counts.left > 0 || ending == .stoppedWithinFile { return .stopped }
        // By receipts: the task of a cancelled one may have succeeded for others, or for the caches.
        return result.counts.unmet + result.counts.rejectedForUsers > 0 || feed.hasFailed ? .failures : .success
    }
}

internal import CLinux
internal import Glibc
internal import SluiceCore

/// One connected program: its calls under way, its place in the stream of events, and what it has to be sent.
///
/// Bounded in every direction: one that does not read is not read from any more, and misses
/// events once they leave the history. Confined to the control thread.
final class ControlClient {
    /// An answer that goes out once the events before it went.
    private struct Answer {
        let seq: Int
        let line: [UInt8]
        var start: StreamStart?
    }

    private struct Batch {
        var open: Int
        var seq = 0
        var answers: [[UInt8]] = []
        var start: StreamStart?
    }

    /// Where the stream of events begins that an answer announces.
    struct StreamStart {
        /// The number of the first event.
        let from: Int
        /// Whether events are sent again that were sent before: only who names the first one wants that.
        let goesBack: Bool
    }

    /// A call that the pipeline works on.
    struct OpenCall {
        let call: ControlCall
        fileprivate let batch: Int?
    }

    /// Bytes that wait for the client, from which on nothing is read from it.
    private static let softLimit = 1_048_576
    /// Bytes that wait for the client, from which on it is given up.
    private static let hardLimit = 67_108_864
    /// Bytes of events that are made in advance.
    private static let eventLimit = 65_536
    private static let openLimit = 64
    /// Calls that wait for the end of all tasks, which cost nothing meanwhile.
    private static let waitingLimit = 10_000

    let token: Int
    let descriptor: Int32
    private(set) var calls: [Int: OpenCall] = [:]
    /// Those of batches that are begun when others were answered.
    private var notBegun = Queue<(serial: Int, call: ControlCall)>()
    /// Calls that were begun and have no answer, without those that wait.
    private var underWay = 0
    /// Of the calls, those that wait for the end of all tasks.
    private var waitingCount = 0
    private var input = LineBuffer()
    private var output = OutputBuffer()
    private var answers = Queue<Answer>()
    /// Of answers that wait, alone or for the rest of their batch.
    private var answerBytes = 0
    private var batches: [Int: Batch] = [:]
    private var lastSerial = 0
    /// Number of the event to be sent next; `nil` without a subscription.
    private(set) var cursor: Int?
    private var lastSentCount = 0
    private var lastUnread = Int.max
    private var hasEnded = false
    private var isHungUp = false
    /// Closed once everything was sent.
    private var isClosing = false
    private(set) var isGone = false
    private var isBatchTooLong = false
    /// What epoll watches it for.
    var watched: UInt32 = 0

    init(token: Int, descriptor: Int32) { (self.token, self.descriptor) = (token, descriptor) }

    // MARK: - State

    /// What there is to wait for.
    var interest: UInt32 {
        var bits: UInt32 = 0
        if !hasEnded, !isClosing, mayRead { bits |= EPOLLIN.rawValue }
        if !output.isEmpty { bits |= EPOLLOUT.rawValue }
        return bits
    }

    /// Whether nothing more will come of it.
    var isOver: Bool {
        if isGone || (isHungUp && hasEnded) { return true }
        let isIdle = output.isEmpty && answers.isEmpty
        return isIdle && (isClosing || (hasEnded && calls.isEmpty && cursor == nil && input.count == 0))
    }

    /// Whether everything that there is to say was sent.
    func isIdle(newest: Int) -> Bool {
        output.isEmpty && answers.isEmpty && calls.isEmpty && (cursor ?? .max) > newest
    }

    private var pending: Int { output.count + answerBytes }

    /// Whoever waits may say meanwhile what ends the wait.
    private var mayRead: Bool {
        pending < Self.softLimit && calls.count - waitingCount < Self.openLimit && waitingCount < Self.waitingLimit
    }

    // MARK: - Input

    /// Reads once.
    func read(into buffer: UnsafeMutableRawBufferPointer) {
        let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            unsafe input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 || isHungUp {
            hasEnded = true
        } else if errno != EAGAIN, errno != EINTR {
            isGone = true
        }
    }

    /// The other side is closed in both directions: what it sent is read to its end, and nothing is sent any more.
    func hangUp() { isHungUp = true }

    /// Nobody hears what is said: it is dropped, and what may still be unread is served like that of one that hung up.
    private func goDeaf() {
        (output, answers, answerBytes, cursor) = (OutputBuffer(), Queue(), 0, nil)
        (isHungUp, isGone) = (true, hasEnded)
    }

    /// The next line, if there is one and its answer may be made, or will not be.
    func nextLine() -> ArraySlice<UInt8>? {
        guard !isClosing, !isGone, mayRead || isHungUp else { return nil }
        while let line = input.next() ?? (hasEnded && input.count > 0 && !input.isTooLong ? input.rest() : nil) {
            if !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return line }
        }
        return nil
    }

    var hasTooLongLine: Bool { !isClosing && input.isTooLong }

    /// Whether the answers to a batch are more than is kept for anybody.
    var hasTooLongBatch: Bool { !isClosing && isBatchTooLong }

    // MARK: - Calls

    /// Takes the calls of a line, to be begun in their order.
    func open(_ message: ControlMessage) {
        switch message {
        case .single(let call): add(call, to: nil)
        case .batch(let list):
            let batch = lastSerial
            batches[batch] = Batch(open: list.count)
            for call in list { add(call, to: batch) }
        }
    }

    private func add(_ call: ControlCall, to batch: Int?) {
        lastSerial += 1
        calls[lastSerial] = OpenCall(call: call, batch: batch)
        if call.waits { waitingCount += 1 }
        notBegun.append((lastSerial, call))
    }

    /// The next call to begin, with the number under which it is answered; `nil` while there are enough under way.
    ///
    /// All of a long batch at once would keep the pipeline from everybody else, and their answers would lie in memory.
    func nextCall() -> (serial: Int, call: ControlCall)? {
        // What somebody asked for who left is done all the same.
        let isHeard = !isHungUp && !isGone && !isClosing
        guard underWay < Self.openLimit || !isHeard, let next = notBegun.popFirst() else { return nil }
        if !next.call.waits { underWay += 1 }
        return next
    }

    /// Takes the answer to one call.
    ///
    /// - Parameters:
    ///   - serial: The number of the call.
    ///   - line: Without a line break; empty for a notification.
    ///   - seq: The last event before the answer.
    ///   - start: Where the stream of events begins that it announces.
    func answer(_ serial: Int, with line: [UInt8], seq: Int, start: StreamStart? = nil) {
        guard let open = calls.removeValue(forKey: serial) else { return }
        if open.call.waits { waitingCount -= 1 } else { underWay = max(0, underWay - 1) }
        guard let number = open.batch, var batch = batches.removeValue(forKey: number) else {
            let whole = line.isEmpty ? [] : line + [UInt8(ascii: "\n")]
            return queue(Answer(seq: seq, line: whole, start: start))
        }
        batch.open -= 1
        batch.seq = max(batch.seq, seq)
        batch.start = start ?? batch.start
        if !line.isEmpty { batch.answers.append(line) }
        answerBytes += line.count
        guard batch.open == 0 else {
            batches[number] = batch
            if pending > Self.hardLimit { isBatchTooLong = true }
            return
        }
        answerBytes -= batch.answers.reduce(0) { $0 + $1.count }
        let list = batch.answers.joined(separator: [UInt8(ascii: ",")])
        let whole = batch.answers.isEmpty ? [] : [UInt8(ascii: "[")] + list + Array("]\n".utf8)
        queue(Answer(seq: batch.seq, line: whole, start: batch.start))
    }

    /// Says a last word, and closes once it is sent.
    func close(saying line: [UInt8]) {
        answerBytes -= batches.values.reduce(0) { $0 + $1.answers.reduce(0) { $0 + $1.count } }
        if !line.isEmpty { queue(Answer(seq: 0, line: line)) }
        (cursor, batches, notBegun) = (nil, [:], Queue())
        isClosing = true
    }

    /// Whether it read something since this was asked last.
    func takesMore() -> Bool {
        // A whole piece goes out once there is room for it: until then what is read is only seen here.
        let unread = Int(sluice_unsent(descriptor))
        defer { (lastSentCount, lastUnread) = (output.sentCount, unread) }
        return output.sentCount > lastSentCount || unread < lastUnread
    }

    /// Says what does not go out any more since the session is over: the line that is on its way, and `lost`.
    ///
    /// - Parameter lost: The line that says so; only a subscriber hears it.
    func cutShort(saying lost: [UInt8]) {
        output.dropWholeLines()
        if cursor != nil { output.append(lost) }
        _ = output.flush(to: descriptor)
    }

    private func queue(_ answer: Answer) {
        guard !isClosing, !isHungUp else { return }
        answers.append(answer)
        answerBytes += answer.line.count
        if pending > Self.hardLimit { isGone = true }
    }

    // MARK: - Output

    /// Sends what may go now: answers and events in their order.
    ///
    /// - Parameters:
    ///   - newest: The number of the newest event.
    ///   - lines: Makes the lines of some events from a number on, no later ones than another; `nil` if the first of
    ///     them is gone.
    ///   - lost: Makes the line that says so.
    func pump(newest: Int, lines: (Int, Int) -> (bytes: [UInt8], next: Int)?, lost: () -> [UInt8]) {
        var hasMore = true
        // Until there is nothing more, or the socket takes no more: then its readiness goes on with this.
        while hasMore, !isGone {
            hasMore = fill(newest: newest, lines: lines, lost: lost)
            if !output.isEmpty, !output.flush(to: descriptor) { return goDeaf() }
            if !output.isEmpty { return }
        }
    }

    /// Makes what goes out next, up to a limit.
    ///
    /// - Returns: Whether there may be more.
    private func fill(
        newest: Int,
        lines: (Int, Int) -> (bytes: [UInt8], next: Int)?,
        lost: () -> [UInt8]
    ) -> Bool {
        while output.count < Self.eventLimit {
            if let answer = answers.first, (cursor ?? .max) > answer.seq {
                _ = answers.popFirst()
                answerBytes -= answer.line.count
                output.append(answer.line)
                if let start = answer.start { cursor = start.goesBack ? start.from : max(cursor ?? 0, start.from) }
            } else if let cursor, cursor <= newest {
                if let (bytes, next) = lines(cursor, answers.first?.seq ?? newest) {
                    output.append(bytes)
                    self.cursor = next
                } else {
                    // What was asked for meanwhile has no place in the stream any more.
                    (answers, answerBytes) = (Queue(), 0)
                    output.append(lost())
                    self.cursor = nil
                    isClosing = true
                }
            } else {
                return false
            }
        }
        return true
    }
}

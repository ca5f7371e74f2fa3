import CLinux
import SluiceCore
import SluiceUI
import Testing

@testable import SluiceTerminal

@Suite(.timeLimit(.minutes(5)))
struct MailboxTests {
    private func event(_ seq: Int) -> PipelineEvent {
        PipelineEvent(seq: seq, t: .zero, kind: .warning(code: .other, message: "", task: nil))
    }

    private func snapshot(_ serial: Int) -> PipelineSnapshot {
        var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
        snapshot.serial = serial
        return snapshot
    }

    private func isRinging(_ mailbox: Mailbox) -> Bool {
        var ready = pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&ready, 1, 0) == 1
    }

    @Test func theLatestSnapshotWinsAndEventsKeepTheirOrder() {
        let mailbox = Mailbox()

        for serial in 1...3 { mailbox.post(snapshot: snapshot(serial)) }
        mailbox.post(event: event(1))
        for number in 2...3 { mailbox.post(event: event(number)) }
        mailbox.post(answer: .resumed)
        let taken = mailbox.take()

        #expect(taken.snapshot?.serial == 3)
        #expect(taken.events.elements.map(\.seq) == [1, 2, 3])
        #expect(taken.events.lost == 0)
        #expect(taken.answers.count == 1)
        #expect(mailbox.take().isEmpty)
    }

    @Test func theBellRingsOnceUntilEverythingIsTaken() {
        let mailbox = Mailbox()
        #expect(!isRinging(mailbox))

        mailbox.post(event: event(1))
        mailbox.post(event: event(2))
        #expect(isRinging(mailbox))
        var rings: eventfd_t = 0
        #expect(unsafe eventfd_read(mailbox.descriptor, &rings) == 0)
        #expect(rings == 1)

        _ = mailbox.take()
        #expect(!isRinging(mailbox))
        mailbox.stage(event: event(9))
        #expect(!isRinging(mailbox))
        mailbox.post(snapshot: snapshot(1))
        #expect(isRinging(mailbox))
    }

    @Test func eventsAndTheirSnapshotAreTakenTogether() {
        let mailbox = Mailbox()
        mailbox.post(event: event(1))
        _ = mailbox.take()

        for number in 2...3 { mailbox.stage(event: event(number)) }
        #expect(!isRinging(mailbox))
        #expect(mailbox.take().events.isEmpty)
        mailbox.post(snapshot: snapshot(1))
        mailbox.stage(event: event(4))
        mailbox.post(snapshot: snapshot(2))
        let taken = mailbox.take()

        #expect(taken.events.elements.map(\.seq) == [2, 3, 4])
        #expect(taken.snapshot?.serial == 2)
        #expect(!isRinging(mailbox))
    }

    @Test func onlyTheNewestEventsAreKeptAndTheOthersCounted() {
        let mailbox = Mailbox()
        for number in 1...Mailbox.eventLimit + 5 { mailbox.post(event: event(number)) }

        let taken = mailbox.take().events
        #expect(taken.lost == 5)
        #expect(taken.elements.count == Mailbox.eventLimit)
        #expect(taken.elements.first?.seq == 6)
        #expect(taken.elements.last?.seq == Mailbox.eventLimit + 5)

        mailbox.post(event: event(1))
        #expect(mailbox.take().events.lost == 0)
    }

    /// One task may have more receipts than events wait.
    @Test func theEndOfATaskOutlastsThatOfItsReceipts() {
        let mailbox = Mailbox()
        let end = TaskEnd(task: TaskID(1), url: "http://a.example/", outcome: .success, receipts: Mailbox.eventLimit)
        mailbox.post(event: event(1))
        mailbox.post(event: PipelineEvent(seq: 2, t: .zero, kind: .taskFinished(end)))
        for number in 3..<Mailbox.eventLimit + 8 { mailbox.post(event: event(number)) }
        mailbox.post(event: PipelineEvent(seq: Mailbox.eventLimit + 8, t: .zero, kind: .taskFinished(end)))

        let taken = mailbox.take().events
        #expect(taken.lost == 6)
        #expect(taken.elements.map(\.seq) == [2] + Array(8...Mailbox.eventLimit + 8))
    }

    @Test func nothingIsLostBetweenThreads() async {
        let mailbox = Mailbox()
        let senders = Task {
            await withTaskGroup { group in
                for sender in 0..<8 {
                    group.addTask { for number in 0..<1_000 { mailbox.post(event: event(sender * 1_000 + number)) } }
                }
            }
            mailbox.post(snapshot: snapshot(1))
        }
        var numbers: Set<Int> = []
        var isDone = false
        while !isDone {
            let taken = mailbox.take()
            numbers.formUnion(taken.events.elements.map(\.seq))
            isDone = taken.snapshot != nil
            await Task.yield()
        }
        await senders.value
        #expect(numbers.count == 8_000)
    }
}

import SluiceCore
import Testing

@testable import SluicePipeline

struct AnswerDeskTests {
    private var desk = AnswerDesk()

    private mutating func add(_ task: Int) -> DiskAnswer {
        let response = StoredResponse(url: "http://test/", status: 200, fields: [], requestTime: 0, responseTime: 0)
        let answer = DiskAnswer(
            TaskID(task),
            serial: desk.nextSerial(),
            transfer: nil,
            StoredAnswer(response: response, source: .disk, why: .validated, age: 0),
            body: TransferBody(.plain(), files: nil),
            known: nil,
            isUnseen: false
        )
        desk.add(answer)
        return answer
    }

    private mutating func fill() {
        for task in 1...AnswerDesk.limit { desk.open(add(task)) }
    }

    @Test mutating func anAnswerThatEndsMakesRoomForTheMostUrgentThatWaits() {
        fill()
        for (task, priority) in [(101, Priority.low), (102, .normal), (103, .high), (104, .normal)] {
            desk.wait(add(task), priority)
        }
        #expect(!desk.hasRoom && !desk.canOpen)

        var begun: [Int] = []
        for task in 1...4 {
            #expect(desk.remove(TaskID(task))?.task == TaskID(task))
            #expect(desk.canOpen)
            guard let next = desk.nextWaiting() else { continue }
            desk.open(next)
            begun.append(next.task.rawValue)
        }

        #expect(begun == [103, 102, 104, 101])
        #expect(!desk.hasRoom && !desk.canOpen)
    }

    @Test mutating func whatWasRemovedWhileItWaitedIsPassedOver() {
        fill()
        desk.wait(add(101), .normal)
        desk.remove(TaskID(101))
        // The task has another answer by now, which waits behind a third one.
        desk.wait(add(102), .normal)
        let newer = add(101)
        desk.wait(newer, .normal)
        desk.remove(TaskID(1))
        #expect(desk.nextWaiting() == nil)
        #expect(desk.nextWaiting()?.task == TaskID(102))
        #expect(desk.nextWaiting() === newer)
        #expect(!desk.canOpen)
    }

    @Test mutating func newsOfAnEarlierAnswerFindNone() {
        let earlier = add(1)
        desk.remove(TaskID(1))
        let answer = add(1)
        #expect(desk[TaskID(1), serial: earlier.serial] == nil)
        #expect(desk[TaskID(1), serial: answer.serial] === answer)
    }

    @Test mutating func nothingIsLeftOnceAllAreRemoved() {
        fill()
        for task in 101...200 { desk.wait(add(task), .normal) }
        for task in desk.tasks { desk.remove(task) }
        #expect(desk.isEmpty && desk.hasRoom)
        _ = add(1)
        #expect(!desk.canOpen, "none waits any more")
        #expect(desk.remove(TaskID(2)) == nil)
    }
}

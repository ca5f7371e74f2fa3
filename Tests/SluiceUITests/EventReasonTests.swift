import SluiceCore
import Testing

@testable import SluiceUI

/// Reasons in rows of the events: the fact first, and in the words of the row.
struct EventReasonTests {
    /// Columns that a row has for them where the screen has 80.
    private static let room = 38

    @Test(arguments: [
        (Why.slotFree(active: 3, limit: 4), "started", "a slot was free: 3 of 4 taken"),
        (.slotsTaken(active: 4, limit: 4, ahead: 3), "queued", "all 4 slots taken · behind 3 others"),
        (.slotsTaken(active: 4, limit: 4, ahead: 1), "queued", "all 4 slots taken · behind 1 other"),
        (.slotsTaken(active: 1, limit: 1, ahead: 0), "queued", "the only slot taken · next"),
        (.queueSuspended, "queued", "the queue is suspended"),
        (.diskFull, "queued", "the disk is full, until there is room"),
        (.pausedByUser(gaveSlot: true), "paused", "by the user, its slot given back"),
        (.lastReceiptGone, "detached", "its last request was cancelled"),
        (.changedByRequest(method: "PUT"), "removed", "a PUT request may have changed it"),
        (.removedByUser, "removed", "by the user"), (.refusedByHook, "refused", "by the admission hook"),
        (
            .largerThanCapacity(cost: 209_715_200, capacity: 104_857_600), "refused",
            "its 200 MiB exceed all of the 100 MiB"
        ),
        (.noRoom, "queued", "the disk is full"),
    ])
    func theFactComesFirstAndFits(why: Why, verb: String, text: String) {
        let sentence = why.sentence(now: Scene.now)
        #expect(EventReason.text(sentence, after: verb) == text)
        #expect(TextWidth.columns(of: text) <= Self.room)
        let recorded = Why.recorded(sentence).sentence(now: Scene.now)
        #expect(EventReason.text(recorded, after: verb) == text, "a recording has the words only")
    }

    @Test func whatOnlyLeadsOverToTheCauseIsLeftOut() {
        let text = EventReason.text(Why.restoredSuspended.sentence(now: Scene.now), after: "queued")
        #expect(text == "the queue was suspended then and still is · where it stood in an earlier session")
    }

    @Test(arguments: [
        (Why.joinedActive(receipts: 3), "now ×3 · task 318 runs already"),
        (.joinedPaused(receipts: 3), "now ×3 · task 318 is paused and stays so"),
        (
            .joinedQueued(receipts: 3, position: 7, isMoved: false),
            "now ×3 · task 318 is queued at position 7 and keeps it"
        ),
        (.recorded("no usual words"), "now ×3 · no usual words"),
    ])
    func aMergeSaysWithHowManyFirst(why: Why, text: String) {
        var merged = Submission(url: "https://a.example/x.png", outcome: .joined, why: why, origin: .prompt)
        (merged.task, merged.receipts) = (TaskID(318), 3)
        #expect(EventSentence(.requestSubmitted(merged), at: Scene.now).detail == text)
        let whole = EventSentence(.requestSubmitted(merged), at: Scene.now, isWhole: true).detail
        #expect(whole.hasPrefix("joined task 318, now ×3 · "), "\(whole)")
    }

    @Test(arguments: [
        (HTTPCacheWhy.bodyGone, "its body is gone"), (.unused, "it was not used for a week"),
        (.leastRecent, "as the least recently used, to keep the capacity"),
    ])
    func whatTheHTTPCacheEvictedIsNotToldTwice(why: HTTPCacheWhy, text: String) {
        #expect(EventReason.text(why.sentence, after: "evicted") == text)
    }

    /// Time, verb and name take the rest of it.
    @Test func aRowOfEightyColumnsTellsItsReasonWhole() {
        var scene = Scene.full
        var queued = Submission(
            url: "https://a.example/x.png",
            outcome: .queued,
            why: .slotsTaken(active: 4, limit: 4, ahead: 38),
            origin: .prompt
        )
        (queued.task, queued.receipt) = (TaskID(900), ReceiptID(900))
        scene.add(61, .requestSubmitted(queued))
        let long = "the folder of the file that was asked for can be written by nobody"
        scene.add(62, .warning(code: .notKept, message: long, task: nil))
        var driver = Driver(scene, 80, 24)
        _ = driver.press("4")
        let rows = driver.text.split(separator: "\n")
        #expect(rows.contains { $0.contains("all 4 slots taken · behind 38 others") }, "\(driver.text)")
        #expect(rows.contains { $0.contains("the folder of the file that was asked… ") }, "\(driver.text)")
    }
}

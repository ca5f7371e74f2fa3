import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

struct WhySentenceTests {
    private static let now = Timestamp(nanoseconds: 0)

    @Test(arguments: [
        (Why.slotsTaken(active: 4, limit: 4, ahead: 3), "queued behind 3 others because all 4 slots are taken"),
        (.slotsTaken(active: 1, limit: 1, ahead: 0), "queued as the next one because the only slot is taken"),
        (
            .slotsTaken(active: 2, limit: 4, ahead: 1),
            "queued behind 1 other because 2 of 4 slots are taken and others go first"
        ),
        (
            .joinedQueued(receipts: 5, position: 7, isMoved: false),
            "joined a download that is queued at position 7 and keeps it: one download serves 5 requests"
        ),
        (
            .inMemory(idle: .seconds(4), cost: 24_012_391),
            "answered from memory, where the image of 22.9 MiB was last used 4 s ago"
        ),
        (
            .inMemory(idle: .seconds(4), cost: 1_048_576, asksBehind: true),
            "answered from memory, where the image of 1 MiB was last used 4 s ago; the origin is asked behind it"
        ),
        (
            .largerThanCapacity(cost: 209_715_200, capacity: 104_857_600),
            "refused because its 200 MiB are more than the whole capacity of 100 MiB"
        ),
        (.addedByPurging(victims: 1), "added, and to keep the capacity 1 older entry was purged"),
        (.addedByPurging(victims: 17), "added, and to keep the capacity 17 older entries were purged"),
        (
            .purgedAtOnce(cost: 73_400_320, preferred: 62_914_560),
            "added and purged in the same step, because its 70 MiB are more than the 60 MiB that a purge leaves"
        ),
        (.movedByUser(by: -1), "moved by the user 1 place towards the front of its priority"),
        (.priorityChanged(.high), "its priority became high"),
        (
            .joinedWaiting(receipts: 2, until: Timestamp(nanoseconds: 3_000_000_000)),
            "joined a download that waits for its retry in 3 s: one download serves 2 requests"
        ),
        (
            .previouslyFailed(DownloadError(.badStatus, "404 Not Found", status: 404), remaining: .seconds(560)),
            "not tried because it failed for good (404 Not Found), which is remembered for 9 min more"
        ),
    ])
    func decisionsAreExplainedWithFigures(why: Why, sentence: String) {
        #expect(why.sentence(now: Self.now) == sentence)
    }

    @Test func everyDecisionHasASentence() {
        let error = DownloadError(.timedOut, "no byte for 60 s")
        let all: [Why] = [
            .slotFree(active: 3, limit: 4), .queueSuspended, .prefetchShare(limit: 3), .joinedActive(receipts: 2),
            .joinedPaused(receipts: 1), .joinedDetached, .joinedAnswering(receipts: 2), .savedEarlier(path: "/a"),
            .rejected(error), .retryAfter(error, next: 2, of: 3, serverAsked: true), .resumedByUser, .retriedByUser,
            .pausedByUser(gaveSlot: true),
            .pausedByUser(gaveSlot: false),
            .retryTimeCame, .lastReceiptGone, .promoted, .fitsCapacity, .replacedOlder, .removedByUser,
            .changedByRequest(method: "PUT"), .refusedByHook,
            .movedByUser(by: Int.min), .recorded("a note"),
            .movedToEnd, .noRoom, .earlierFileGone, .heldBack, .forALook, .newerBody(.came), .newerBody(.notKept),
            .newerBody(.notDecoded), .otherVersion, .otherPlace, .bytesWanted,
            .partUnusable(reason: "the server sent more than it announced"),
        ]
        let sentences = all.map { $0.sentence(now: Self.now) }
        #expect(Set(sentences).count == all.count)
        #expect(sentences.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
    }
}

struct EventSentenceTests {
    @Test func hostileTextIsMadeVisible() {
        var end = TaskEnd(
            task: TaskID(1),
            url: "https://a.example/x%1B%5B2J%E2%80%AE.png",
            outcome: .failed,
            receipts: 1
        )
        end.error = DownloadError(.badStatus, "404 \u{1B}]0;evil\u{7}", status: 404)
        let sentence = EventSentence(.taskFinished(end), at: Scene.now)
        #expect(sentence.subject == "x^[[2J\\u{202e}.png")
        #expect(sentence.detail == "404 ^[]0;evil^G · not retried")
    }

    @Test func purgesNameTheirFigures() {
        let purge = CachePurge(
            trigger: .capacity,
            before: 105_801_318,
            needed: 42_886_758,
            freed: 43_201_331,
            preferred: 62_914_560,
            victims: []
        )
        let sentence = EventSentence(.cachePurged(purge), count: 17, at: Scene.now)
        #expect(sentence == EventSentence(.cachePurged(purge), count: 17, at: Scene.start), "no time is in it")
        #expect("\(sentence.glyph) \(sentence.verb) \(sentence.subject)" == "♺ purged 41.2 MiB")
        #expect(sentence.detail == "17 images · 100.9 → 59.7 MiB")
    }

    @Test(arguments: [
        (1_153_434, 719_872, "1.1 MiB → 423 KiB"), (265_216, 265_216, "259 KiB → 0 B"),
        (265_216, 102_400, "259 → 159 KiB"),
    ])
    func aPurgeNamesBothUnitsWhereTheyDiffer(before: Int, freed: Int, levels: String) {
        let purge = CachePurge(
            trigger: .capacity,
            before: before,
            needed: freed,
            freed: freed,
            preferred: 0,
            victims: []
        )
        let sentence = EventSentence(.cachePurged(purge), count: 3, at: Scene.now)
        #expect(sentence.detail == "3 images · \(levels)")
    }

    private static let changes: [(String, SettingValue, SettingValue, String)] = [
        ("cacheCapacity", .integer(0), .integer(104_857_600), "no limit → 100 MiB"),
        ("cachePreferred", .integer(62_914_560), .integer(0), "60 MiB → 0 B"),
        ("limitRate", .integer(0), .integer(51_200), "no limit → 50 KiB/s"),
        ("maxFileSize", .integer(104_857_600), .integer(104_857_601), "104,857,600 → 104,857,601"),
        ("maxPerHost", .integer(0), .integer(4), "no limit → 4"),
        ("retries", .integer(2), .integer(0), "2 → 0"),
        ("timeout", .seconds(5), .seconds(0), "5 s → no limit"),
        ("timeout", .seconds(90), .seconds(90.5), "1:30 → 90.5 s"),
        ("maxRetryAfter", .seconds(1_000_000), .seconds(0), "1000000 s → no limit"),
        ("failedFor", .seconds(600), .seconds(0), "10:00 → off"),
        ("completionDelay", .seconds(0.17), .seconds(0), "0.17 s → 0 s"),
        ("suspended", .flag(false), .flag(true), "off → on"),
    ]

    @Test(arguments: changes)
    func settingsReadAsInNotices(name: String, from: SettingValue, to: SettingValue, text: String) {
        let sentence = EventSentence(.settingChanged(name: name, from: from, to: to), at: Scene.now)
        #expect("\(sentence.subject) \(sentence.detail)" == "\(name) \(text)")
    }

    @Test func aCacheWithoutALimitIsToldSo() {
        var settings = Settings()
        let usual = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(usual.detail == "4 slots · cache 100 MiB, purges to 60", "it says of what")
        settings.cacheCapacity = 0
        let start = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(start.detail == "4 slots · cache without limit")
        settings.indicatorEnabled = false
        let off = EventSentence(.sessionStarted(version: "0.1", pid: 1, settings: settings), at: Scene.now)
        #expect(off.detail == "4 slots · cache without limit · indicator off")
        let change = CacheChange(
            verb: .added,
            key: CacheKey(key: "https://a.example/x.png"),
            cost: 1_024,
            usage: 480_000,
            capacity: 0,
            count: 2,
            why: .fitsCapacity
        )
        let added = EventSentence(.cacheChanged(change), at: Scene.now)
        #expect(added.detail == "1.0 KiB · now 469 KiB · no limit")
    }

    @Test func runsOfQueuedRequestsAreOneEntry() {
        var log = EventRows()
        for seq in 1...100_000 {
            var submission = Submission(
                url: "https://a.example/\(seq)",
                outcome: .queued,
                why: .slotsTaken(active: 4, limit: 4, ahead: seq),
                origin: .paste
            )
            submission.position = seq
            _ = log.append(PipelineEvent(seq: seq, t: .zero, kind: .requestSubmitted(submission)), wasAskedFor: false)
        }
        #expect(log.count == 1)
        let sentence = EventSentence(log[age: 0].kind, count: log[age: 0].count, at: Scene.now)
        #expect(sentence.subject == "100,000 requests")
        #expect(sentence.detail == "all 4 slots taken · the last is 100000")
    }

    @Test(arguments: [
        (1, 0, "2 of 4 slots taken, others go first · next"),
        (1, 7, "2 of 4 slots taken, others go first · behind 7 others"),
        (5_001, 0, "2 of 4 slots taken, others go first · the last is x.png"),
    ]) func onlyOneRequestHasAPlaceInTheQueue(count: Int, ahead: Int, detail: String) {
        let submission = Submission(
            url: "https://a.example/x.png",
            outcome: .queued,
            why: .slotsTaken(active: 2, limit: 4, ahead: ahead),
            origin: .paste
        )
        #expect(EventSentence(.requestSubmitted(submission), count: count, at: Scene.now).detail == detail)
        var recorded = submission
        recorded.why = .recorded(submission.why.sentence(now: Scene.now))
        #expect(EventSentence(.requestSubmitted(recorded), count: count, at: Scene.now).detail == detail)
    }

    @Test func theLogKeepsTheLastTenThousand() {
        var log = EventRows()
        for seq in 1...25_000 {
            let event = PipelineEvent(seq: seq, t: .zero, kind: .warning(code: .other, message: "\(seq)", task: nil))
            _ = log.append(event, wasAskedFor: false)
        }
        #expect(log.count == 10_000)
        #expect(log[age: 0].seq == 25_000)
        #expect(log[age: 9_999].seq == 15_001)
        #expect(log.age(ofSeq: 20_000) == 5_000)
        #expect(log.age(ofSeq: 3) == 9_999, "what is gone is the oldest")
    }
}

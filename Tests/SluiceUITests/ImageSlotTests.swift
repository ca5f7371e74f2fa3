import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

struct ImageSlotTests {
    private func picture(_ slot: ImageSlot<Int>) -> Int? {
        if case .picture(let number) = slot.content { number } else { nil }
    }

    private func isPlaceholder(_ slot: ImageSlot<Int>) -> Bool {
        if case .placeholder = slot.content { true } else { false }
    }

    @Test func aPictureInMemoryIsShownWithoutAPlaceholder() {
        var slot = ImageSlot<Int>()
        _ = slot.show("a", as: 1)
        let isFilled = slot.arrived(10, for: 1)
        #expect(isFilled)

        #expect(slot.show("b", as: 2) == [.submit("b", 2)])
        #expect(picture(slot) == 10, "what stood there stays until the answer")
        let isNew = slot.arrived(20, for: 2)
        #expect(isNew && picture(slot) == 20)
    }

    @Test func aReceiptMeansAPlaceholderUntilThePictureArrives() {
        var slot = ImageSlot<Int>()
        _ = slot.show("a", as: 1)
        _ = slot.arrived(10, for: 1)
        _ = slot.show("b", as: 2)
        #expect(slot.accepted(2, ReceiptID(7)) == [])
        #expect(isPlaceholder(slot))
        let isNew = slot.arrived(20, for: 2)
        #expect(isNew && picture(slot) == 20)
    }

    @Test func theSameURLIsAskedForOnce() {
        var slot = ImageSlot<Int>()
        #expect(slot.show("a", as: 1) == [.submit("a", 1)])
        #expect(slot.show("a", as: 2) == [])
        _ = slot.accepted(1, ReceiptID(7))
        #expect(slot.show("a", as: 3) == [])
        _ = slot.arrived(10, for: 1)
        #expect(slot.show("a", as: 4) == [] && picture(slot) == 10)
    }

    @Test func aNewURLCancelsTheOldReceipt() {
        var slot = ImageSlot<Int>()
        _ = slot.show("a", as: 1)
        _ = slot.accepted(1, ReceiptID(7))
        #expect(slot.show("b", as: 2) == [.drop(1), .cancel(ReceiptID(7)), .submit("b", 2)])
        let isFilled = slot.arrived(10, for: 1)
        #expect(!isFilled, "only the latest question may fill it")
        #expect(slot.accepted(1, ReceiptID(8)) == [.cancel(ReceiptID(8))], "a receipt that comes too late")
    }

    @Test func noURLCancelsAndShowsThePlaceholder() {
        var slot = ImageSlot<Int>()
        _ = slot.show("a", as: 1)
        _ = slot.arrived(10, for: 1)
        _ = slot.show("b", as: 2)
        #expect(slot.show(nil, as: 3) == [.drop(2)])
        #expect(isPlaceholder(slot) && slot.pending == nil)
    }

    @Test func whatNoCacheHoldsIsReadFromTheFileAndThenGivenUp() {
        var slot = ImageSlot<Int>()
        _ = slot.show("a", as: 1)
        #expect(slot.failed("not stored", for: 1) == [.readFile("a", 1)])
        #expect(isPlaceholder(slot))
        #expect(slot.failed("no file", for: 1) == [])
        guard case .failed("no file") = slot.content else {
            Issue.record("the sign of a failure stays")
            return
        }
        #expect(slot.show("a", as: 2) == [], "what failed is not asked for again and again")
    }

    @Test func invariantsHoldForEverySequenceOfSixEvents() throws {
        let visited = try exploreAll(from: World(), depth: 6, steps: \.successors, problem: \.problem)
        #expect(visited == 21_127, "the exploration must not shrink")
    }
}

/// What an observer of the actions believes; pictures are the numbers of the questions that they answer.
private struct World: ExploredWorld {
    private var slot = ImageSlot<Int>()
    private var lastAsk = 0
    private var lastReceipt: Int = 0
    private var urls: [Int: String] = [:]
    /// Questions that were submitted and not answered, and those whose file is being read.
    private var asked: Set<Int> = []
    private var reading: Set<Int> = []
    /// Receipts that were given out, neither cancelled nor ended.
    private var receipts: [ReceiptID: Int] = [:]
    private(set) var problem: String?

    var successors: [(name: String, next: World)] {
        var all: [(name: String, next: World)] = [nil, "a", "b"].map { url in
            step("show \(url ?? "nothing")") { $0.show(url) }
        }
        for ask in asked.sorted() {
            all.append(step("hit \(ask)") { $0.hit(ask) })
            all.append(step("receipt for \(ask)") { $0.accept(ask) })
            all.append(step("refuse \(ask)") { $0.refuse(ask) })
        }
        for (receipt, ask) in receipts.sorted(by: { $0.key < $1.key }) {
            all.append(step("outcome for \(ask)") { $0.end(receipt, ask) })
        }
        for ask in reading.sorted() {
            all.append(step("file for \(ask)") { $0.file(ask, isThere: true) })
            all.append(step("no file for \(ask)") { $0.file(ask, isThere: false) })
        }
        return all
    }

    private mutating func show(_ url: String?) {
        let isSame = url == slot.url
        let before = slot.shown
        lastAsk += 1
        let actions = slot.show(url, as: lastAsk)
        if isSame, !actions.isEmpty { problem = "asked again for the same URL" }
        if url != nil, slot.shown != before { problem = "something else is shown before the answer" }
        if url == nil, slot.shown != "placeholder" { problem = "no URL shows something" }
        obey(actions)
    }

    private mutating func hit(_ ask: Int) {
        asked.remove(ask)
        let isCurrent = slot.pending == ask
        if slot.arrived(ask, for: ask) != isCurrent { problem = "the wrong picture was taken, or the right one not" }
    }

    private mutating func accept(_ ask: Int) {
        asked.remove(ask)
        lastReceipt += 1
        receipts[ReceiptID(lastReceipt)] = ask
        let isCurrent = slot.pending == ask
        obey(slot.accepted(ask, ReceiptID(lastReceipt)))
        if isCurrent, slot.shown != "placeholder" { problem = "no placeholder while a task runs" }
    }

    private mutating func refuse(_ ask: Int) {
        asked.remove(ask)
        obey(slot.failed("refused", for: ask))
    }

    private mutating func end(_ receipt: ReceiptID, _ ask: Int) {
        receipts[receipt] = nil
        if !slot.arrived(ask, for: ask) { problem = "an outcome that nobody waited for" }
    }

    private mutating func file(_ ask: Int, isThere: Bool) {
        reading.remove(ask)
        if isThere { _ = slot.arrived(ask, for: ask) } else { obey(slot.failed("no file", for: ask)) }
    }

    private mutating func obey(_ actions: [ImageSlot<Int>.Action]) {
        for action in actions {
            switch action {
            case .submit(let url, let ask):
                if urls.updateValue(url, forKey: ask) != nil { problem = "a number was used twice" }
                asked.insert(ask)
            case .readFile(let url, let ask):
                if urls[ask] != url { problem = "the file of another URL" }
                reading.insert(ask)
            case .drop(let ask):
                if urls[ask] == slot.url { problem = "dropped what is wanted" }
            case .cancel(let receipt):
                if receipts.removeValue(forKey: receipt) == nil { problem = "cancelled twice, or after the outcome" }
            }
        }
    }

    mutating func check() {
        if receipts.count > 1 { problem = "two receipts for one place" }
        if let ask = receipts.values.first, slot.pending != ask { problem = "a receipt that nobody waits for" }
        if let pending = slot.pending, urls[pending] != slot.url { problem = "waits for another URL" }
        if case .picture(let ask) = slot.content, urls[ask] != slot.url {
            guard case .asking = slot.stage else {
                problem = "the picture of another URL"
                return
            }
        }
        if case .failed = slot.content, slot.pending != nil {
            guard case .asking = slot.stage else {
                problem = "failed while the answer is awaited"
                return
            }
        }
        let isOpen = slot.pending.map { asked.contains($0) || reading.contains($0) || receipts.values.contains($0) }
        if isOpen == false { problem = "stuck" }
    }
}

extension ImageSlot<Int> {
    fileprivate var shown: String {
        switch content {
        case .placeholder: "placeholder"
        case .picture(let number): "picture \(number)"
        case .failed(let why): "failed \(why)"
        }
    }
}

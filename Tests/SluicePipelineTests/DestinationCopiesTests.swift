import Testing

@testable import SluiceCore
@testable import SluicePipeline

/// Which copies a round makes, and who gets which file.
struct DestinationCopiesTests {
    private let source = SavedFile(path: "/downloads/x.png", size: 10, modified: 0)

    private func round(_ rounds: inout CopyRounds) -> DestinationCopies {
        DestinationCopies(
            serial: rounds.nextSerial(),
            source: source,
            name: "x.png",
            usualName: "a.png",
            directory: "/downloads",
            next: .earlierSave
        )
    }

    private func round() -> DestinationCopies {
        var rounds = CopyRounds()
        return round(&rounds)
    }

    private func receipt(_ id: Int, _ destination: String?, saves: Bool = true) -> Receipt {
        Receipt(
            id: ReceiptID(id),
            options: RequestOptions(saves: saves, destination: destination),
            source: .program,
            tag: nil,
            submitted: Timestamp(nanoseconds: 0)
        )
    }

    private func copy(_ name: String) -> SavedFile { SavedFile(path: "/downloads/\(name)", size: 10, modified: 0) }

    @Test func eachDestinationIsCopiedOnce() {
        let receipts = [
            receipt(1, "x.png"), receipt(2, "y.png"), receipt(3, "y.png"), receipt(4, nil),
            receipt(5, "z.png", saves: false), receipt(6, "/downloads/x.png"),
        ]
        var round = round()
        var wished: [String] = []
        while let wish = round.next(for: receipts) {
            wished.append(wish)
            round.took(copy(wish), at: wish)
        }
        #expect(wished == ["y.png", "a.png"])
        round.grant(receipts)
        let names = (1...6).map { round.granted[ReceiptID($0)]?.dropFirst("/downloads/".count) }
        #expect(names == ["x.png", "y.png", "y.png", "a.png", nil, "x.png"])
    }

    @Test func whoseCopyIsRefusedHasTheFileOfTheTask() {
        let receipts = [receipt(1, "x.png"), receipt(2, "y.png"), receipt(3, nil), receipt(4, "z.png")]
        var round = round()
        round.refuse("y.png")
        round.refuse(nil)
        #expect(round.next(for: receipts) == "z.png")
        round.took(copy("z.png"), at: "z.png")
        #expect(round.next(for: receipts) == nil)
        round.grant(receipts)
        var end = TaskEnd(task: TaskID(1), url: "http://test/a.png", outcome: .success, receipts: receipts.count)
        end.file = source.path
        let delivery = Delivery(end, files: round.granted)
        let names = receipts.map { delivery.file(for: $0)?.dropFirst("/downloads/".count) }
        #expect(names == ["x.png", "x.png", "x.png", "z.png"])
    }

    @Test func theFirstCopyFollowsASourceThatNobodyWants() {
        var round = round()
        for name in ["y.png", "z.png"] { round.took(copy(name), at: name) }
        let left = [receipt(2, "y.png"), receipt(3, "z.png"), receipt(4, nil, saves: false)]
        #expect(round.successor(for: left) == copy("y.png"))
        #expect(round.successor(for: left + [receipt(1, "x.png")]) == nil)
        #expect(round.successor(for: left + [receipt(5, "w.png")]) == nil, "it has no copy")
        #expect(round.successor(for: []) == nil)
    }

    @Test func aNewRoundKeepsWhatIsStillGood() {
        var (rounds, task) = (CopyRounds(), TaskID(1))
        var first = round(&rounds)
        for name in ["y.png", "z.png"] { first.took(copy(name), at: name) }
        first.refuse("w.png")
        rounds[task] = first

        var second = round(&rounds)
        second.takeOver(first) { $0.path.hasSuffix("z.png") }
        rounds[task] = second

        #expect(second.next(for: [receipt(1, "w.png"), receipt(2, "z.png"), receipt(3, "y.png")]) == "y.png")
        #expect(rounds[task, serial: first.serial] == nil, "what the first one still makes comes too late")
        #expect(rounds[task, serial: second.serial]?.serial == second.serial)
        rounds.remove(task)
        #expect(rounds[task] == nil && rounds.granted(of: task).isEmpty)
    }
}

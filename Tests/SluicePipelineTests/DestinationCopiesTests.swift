import Testing

@testable import SluiceCore
@testable import SluicePipeline

/// Which copies a round makes, and who gets which file.
struct DestinationCopiesTests {
    private let source = SavedFile(path: "/downloads/x.png", size: 10, modified: 0)

    private func round(_ rounds: inout CopyRounds, of newer: SavedFile? = nil) -> DestinationCopies {
        DestinationCopies(
            serial: rounds.nextSerial(),
            source: newer ?? source,
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

    /// Where the next copy of a round goes, if none of its receipts has left.
    private func next(_ round: inout DestinationCopies, _ receipts: [Receipt]) -> String? {
        round.next(of: { receipts }, isLive: { _ in true })?.destination
    }

    @Test func eachDestinationIsCopiedOnce() {
        let receipts = [
            receipt(1, "x.png"), receipt(2, "y.png"), receipt(3, "y.png"), receipt(4, nil),
            receipt(5, "z.png", saves: false), receipt(6, "/downloads/x.png"),
        ]
        var round = round()
        var wished: [String] = []
        var asked = 0
        let all = {
            asked += 1
            return receipts
        }
        while let next = round.next(of: all, isLive: { _ in true }) {
            wished.append(next.destination)
            round.took(copy(next.destination), at: next.destination, isUnchanged: false)
        }
        #expect(wished == ["y.png", "a.png"])
        #expect(asked == 2, "once at the beginning, and once for who joined")
        round.grant(receipts)
        let names = (1...6).map { round.granted[ReceiptID($0)]?.dropFirst("/downloads/".count) }
        #expect(names == ["x.png", "y.png", "y.png", "a.png", nil, "x.png"])
    }

    /// They look the same, and are two files.
    @Test func namesOfOtherBytesAreOtherDestinations() {
        let receipts = [receipt(1, "x.png"), receipt(2, "\u{144}"), receipt(3, "n\u{301}")]
        var round = round()
        var wished: [ExactText] = []
        while let next = next(&round, receipts) {
            wished.append(ExactText(next))
            round.took(copy(next), at: next, isUnchanged: false)
        }
        #expect(wished == [ExactText("\u{144}"), ExactText("n\u{301}")])
    }

    @Test func whoseCopyIsRefusedHasTheFileOfTheTask() {
        let receipts = [receipt(1, "x.png"), receipt(2, "y.png"), receipt(3, nil), receipt(4, "z.png")]
        var round = round()
        round.refuse("y.png")
        round.refuse(nil)
        let third = next(&round, receipts)
        #expect(third == "z.png")
        round.took(copy("z.png"), at: "z.png", isUnchanged: false)
        let none = next(&round, receipts)
        #expect(none == nil)
        round.grant(receipts)
        var end = TaskEnd(task: TaskID(1), url: "http://test/a.png", outcome: .success, receipts: receipts.count)
        end.file = source.path
        let delivery = Delivery(end, files: round.granted)
        let names = receipts.map { delivery.file(for: $0)?.dropFirst("/downloads/".count) }
        #expect(names == ["x.png", "x.png", "x.png", "z.png"])
    }

    @Test func whoLeavesGetsNoCopyAndWhoJoinsGetsOne() {
        var receipts = [receipt(1, "x.png"), receipt(2, "y.png"), receipt(3, "z.png")]
        var round = round()
        func step() -> String? {
            round.next(of: { receipts }, isLive: { id in receipts.contains { $0.id == id } })?.destination
        }
        let first = step()
        #expect(first == "y.png")
        round.took(copy("y.png"), at: "y.png", isUnchanged: false)
        receipts = [receipts[0], receipts[1], receipt(4, "w.png"), receipt(5, "v.png")]
        let second = step()
        #expect(second == "w.png", "the third has left, and two have joined")
        round.refuse("w.png")
        receipts.removeLast()
        let last = step()
        #expect(last == nil)
    }

    @Test func theFirstCopyFollowsASourceThatNobodyWants() {
        var round = round()
        for name in ["y.png", "z.png"] { round.took(copy(name), at: name, isUnchanged: false) }
        let left = [receipt(2, "y.png"), receipt(3, "z.png"), receipt(4, nil, saves: false)]
        #expect(round.successor(for: left) == copy("y.png"))
        #expect(round.successor(for: left + [receipt(1, "x.png")]) == nil)
        #expect(round.successor(for: left + [receipt(5, "w.png")]) == nil, "it has no copy")
        #expect(round.successor(for: []) == nil)
    }

    @Test func aCopyThatNobodyWantsAnyMoreGoesUnlessSomethingStoodThere() {
        var round = round()
        for name in ["w.png", "y.png", "z.png"] {
            if name != "z.png" { round.own(copy(name)) }
            round.took(copy(name), at: name, isUnchanged: false)
        }
        round.took(copy("w.png"), at: "/downloads/w.png", isUnchanged: true)
        let gone = round.dropUnwanted(by: [receipt(1, "x.png"), receipt(2, "/downloads/w.png")])
        #expect(gone == [copy("y.png")], "the other one is wanted where it is, however that is spelled")
        #expect(round.made == [ExactText("/downloads/w.png"): copy("w.png")])
        let last = round.dropUnwanted(by: [receipt(1, "x.png")])
        #expect(last == [copy("w.png")] && round.made.isEmpty)
    }

    @Test func aRoundOfAnotherBodyKeepsOnlyWhatWasRefused() {
        var rounds = CopyRounds()
        var first = round(&rounds)
        for name in ["y.png", "z.png"] {
            first.own(copy(name))
            first.took(copy(name), at: name, isUnchanged: true)
        }
        first.refuse("w.png")

        var second = round(&rounds, of: SavedFile(path: source.path, size: 11, modified: 1))
        second.takeOver(first) { _ in true }
        #expect(second.made.isEmpty && second.unchanged.isEmpty)
        let receipts = [receipt(1, "w.png"), receipt(2, "z.png")]
        let again = next(&second, receipts)
        #expect(again == "z.png")
        let newer = SavedFile(path: "/downloads/z.png", size: 11, modified: 1)
        #expect(second.owns(newer))
        second.took(newer, at: "z.png", isUnchanged: false)
        let none = next(&second, receipts)
        #expect(none == nil)
        let gone = second.dropUnwanted(by: receipts)
        #expect(gone == [copy("y.png")], "whoever wanted it has left")
        let last = second.dropUnwanted(by: [])
        #expect(last == [newer])
    }

    @Test func aNewRoundKeepsWhatIsStillGood() {
        var (rounds, task) = (CopyRounds(), TaskID(1))
        var first = round(&rounds)
        for name in ["y.png", "z.png"] { first.took(copy(name), at: name, isUnchanged: true) }
        first.refuse("w.png")
        rounds[task] = first

        var second = round(&rounds)
        second.takeOver(first) { $0.path.hasSuffix("z.png") }
        rounds[task] = second

        let receipts = [receipt(1, "w.png"), receipt(2, "z.png"), receipt(3, "y.png")]
        #expect(second.unchanged == [ExactText(copy("z.png").path)])
        let again = next(&second, receipts)
        #expect(again == "y.png")
        let late = rounds.take(task, serial: first.serial)
        #expect(late == nil, "what the first one still makes comes too late")
        let taken = rounds.take(task, serial: second.serial)
        #expect(taken?.serial == second.serial)
        rounds[task] = second
        rounds.remove(task)
        #expect(rounds[task] == nil && rounds.granted(of: task).isEmpty)
    }
}

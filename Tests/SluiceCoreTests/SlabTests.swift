import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Rows against a dictionary, and what is left of them behind a peak.
struct SlabTests {
    private struct Item: SlabRow {
        static let vacant = Item(number: 0)

        var number: Int

        var isVacant: Bool { number == 0 }
    }

    @Test(arguments: [UInt64(1), 2, 3]) func everyOperationEqualsADictionary(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var slab = Slab<Item>()
        var model: [Int32: Int] = [:]
        var rows: [Int32] = []
        for step in 1...60_000 {
            // It grows and empties again, sometimes not wholly.
            if Int.random(in: 0..<100, using: &random) < (step / 6_000 % 2 == 0 ? 85 : 12) {
                let row = slab.insert(Item(number: step))
                try #require(model.updateValue(step, forKey: row) == nil, "step \(step)")
                rows.append(row)
            } else if !rows.isEmpty {
                rows.swapAt(Int.random(in: 0..<rows.count, using: &random), rows.count - 1)
                let row = rows.removeLast()
                let number = model.removeValue(forKey: row)
                if step.isMultiple(of: 2) {
                    try #require(slab.remove(row).number == number, "step \(step)")
                } else {
                    slab.drop(row)
                }
            }
            if let row = rows.randomElement(using: &random) {
                slab[row].number += 1
                model[row, default: 0] += 1
            }
            try #require(slab.count == model.count && slab.rowCount >= model.count)
            if step.isMultiple(of: 1_000) {
                try #require(rows.allSatisfy { slab[$0].number == model[$0] && Int($0) < slab.rowCount })
                try #require(slab.all.map(\.number).sorted() == model.values.sorted())
            }
        }
    }

    @Test(arguments: [false, true]) func aPeakIsGivenBackInWhicheverOrderItGoes(newestFirst: Bool) {
        var slab = filled(50_000)
        for row in newestFirst ? Array((Int32(0)..<50_000).reversed()) : Array(Int32(0)..<50_000) { slab.drop(row) }
        #expect(slab.count == 0 && slab.rowCount <= 1_024)
    }

    /// Though some are in use at every moment.
    @Test func aPeakIsGivenBackWhileOthersCome() {
        var slab = filled(50_000)
        var rows = Array(Int32(0)..<50_000)
        var first = 0
        while rows.count - first > 10 {
            slab.drop(rows[first])
            first += 1
            if first.isMultiple(of: 4) { rows.append(slab.insert(Item(number: 1))) }
        }
        for _ in 0..<100 {
            slab.drop(rows[first])
            first += 1
            rows.append(slab.insert(Item(number: 1)))
        }
        #expect(slab.count == 10 && slab.rowCount <= 1_024)
    }

    @Test func whatStaysKeepsItsNumber() {
        var slab = filled(50_000)
        for row in Int32(0)..<49_999 { slab.drop(row) }
        #expect(slab[49_999].number == 50_000)
        #expect(slab.insert(Item(number: 7)) == 0, "others come to the front, so that the end can go")
        slab.drop(49_999)
        #expect(slab.rowCount == 1 && slab[0].number == 7)
    }

    @Test func allRowsAreUsedAgainForANewPeak() {
        var slab = filled(50_000)
        for row in Int32(0)..<49_999 { slab.drop(row) }
        for number in 1..<50_000 { _ = slab.insert(Item(number: number)) }
        #expect(slab.count == 50_000 && slab.rowCount == 50_000)
        #expect(slab[49_999].number == 50_000)
    }

    private func filled(_ count: Int) -> Slab<Item> {
        var slab = Slab<Item>()
        for number in 1...count { _ = slab.insert(Item(number: number)) }
        return slab
    }
}

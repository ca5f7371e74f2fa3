import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Trees whose upper rows are no more.
struct RowForestTests {
    @Test func rowsThatAreNoMoreLeaveTheOthersAsTheyAre() {
        var random = SeededRandom(seed: 4)
        var forest = RowForest(trees: 2)
        var model: [[Int32]] = [[], []]
        for row in Int32(0)..<2_000 {
            let tree = Int(row % 2)
            let place = Int.random(in: 0...model[tree].count, using: &random)
            forest.attach(row, tree: tree, place: place)
            model[tree].insert(row, at: place)
        }
        #expect(forest.rowCount == 2_000)
        for row in Int32(300)..<2_000 { forest.detach(row) }
        for tree in 0..<2 { model[tree].removeAll { $0 >= 300 } }
        forest.keepRows(below: 300)
        #expect(forest.rowCount == 300)
        #expect(order(forest) == model)
        #expect(!forest.contains(300) && forest.contains(299))

        forest.attach(1_000, tree: 0, place: 10)
        model[0].insert(1_000, at: 10)
        #expect(order(forest) == model)
        forest.keepRows(below: 5_000)
        #expect(forest.rowCount == 1_001, "there is nothing to give back")
    }

    private func order(_ forest: RowForest) -> [[Int32]] {
        (0..<2).map { tree in (0..<forest.count(inTree: tree)).map { forest.row(at: $0, inTree: tree) } }
    }
}

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Identifiers against a dictionary, and what is left of those that are over.
struct IdentifierMapTests {
    @Test(arguments: [UInt64(1), 2, 3]) func everyOperationEqualsADictionary(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var map = IdentifierMap()
        var model: [Int: Int32] = [:]
        var live: [Int] = []
        for step in 0..<60_000 {
            if Int.random(in: 0..<100, using: &random) < (step / 6_000 % 2 == 0 ? 80 : 20) {
                let row = Int32.random(in: 0..<100, using: &random)
                let identifier = map.add(row)
                try #require(identifier == map.last && model.updateValue(row, forKey: identifier) == nil)
                live.append(identifier)
            } else if !live.isEmpty {
                // Mostly new ones, so that some become old.
                let place = live.count - 1 - Int.random(in: 0..<min(live.count, 3_000), using: &random)
                let identifier = live.remove(at: place)
                map.forget(identifier)
                model[identifier] = nil
                // A second time it changes nothing.
                map.forget(identifier)
            }
            let asked = Int.random(in: -1...map.last + 2, using: &random)
            try #require(map[asked] == model[asked], "step \(step)")
        }
        try #require((0...map.last + 1).allSatisfy { map[$0] == model[$0] })
        for identifier in live { map.forget(identifier) }
        #expect((0...map.last + 1).allSatisfy { map[$0] == nil })
        #expect(map.heldCount <= 1_024)
    }

    @Test func whatIsOverIsNotKeptBehindOneThatStays() {
        var map = IdentifierMap()
        let old = map.add(7)
        for _ in 0..<100_000 {
            let next = map.add(8)
            map.forget(next)
        }
        #expect(map[old] == 7 && map[old + 1] == nil && map.last == 100_001)
        #expect(map.heldCount < 2_100)
        map.forget(old)
        #expect(map[old] == nil)
    }

    @Test func aPeakIsGivenBack() {
        var map = IdentifierMap()
        for row in Int32(0)..<100_000 { _ = map.add(row) }
        #expect(map.heldCount == 100_000)
        for identifier in 1...100_000 where !identifier.isMultiple(of: 1_000) { map.forget(identifier) }
        #expect(map.heldCount <= 1_124)
        #expect((1...100).allSatisfy { map[$0 * 1_000] == Int32($0 * 1_000 - 1) })
    }
}

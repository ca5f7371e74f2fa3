import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Rows by key against a dictionary, and what is left of them behind a peak.
struct KeyIndexTests {
    @Test(arguments: [UInt64(1), 2]) func everyOperationEqualsADictionary(seed: UInt64) throws {
        let keys = (0..<3_000).map { MergeKey(url: "http://h/\($0)") }
        var random = SeededRandom(seed: seed)
        var index = KeyIndex()
        var model: [MergeKey: Int32] = [:]
        for step in 0..<48_000 {
            let row = Int32.random(in: 0..<3_000, using: &random)
            let key = keys[Int(row)]
            // It grows and empties again, so that it is looked up at every size.
            let grows = Int.random(in: 0..<100, using: &random) < (step / 12_000 % 2 == 0 ? 90 : 3)
            if grows, model[key] == nil {
                index.insert(row, key: key)
                model[key] = row
            } else if !grows, model.removeValue(forKey: key) != nil {
                index.remove(row, key: key)
            }
            let asked = keys[Int.random(in: 0..<3_000, using: &random)]
            try #require(index.find(asked) { keys[Int($0)] } == model[asked], "step \(step)")
            try #require(index.count == model.count && index.capacity >= model.count)
        }
    }

    @Test func aPeakIsGivenBack() {
        let keys = (0..<20_000).map { MergeKey(url: "http://h/\($0)") }
        var index = KeyIndex()
        for (row, key) in keys.enumerated() { index.insert(Int32(row), key: key) }
        for (row, key) in keys.enumerated().dropLast(5) { index.remove(Int32(row), key: key) }
        #expect(index.count == 5 && index.capacity <= 512)
        for (row, key) in keys.enumerated().suffix(5) { #expect(index.find(key) { keys[Int($0)] } == Int32(row)) }
        #expect(index.find(keys[0]) { keys[Int($0)] } == nil)
    }
}

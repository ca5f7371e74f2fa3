import Testing

@testable import SluiceCore

/// Every sequence of a few changes, against a dictionary.
struct TransferMapTests {
    private enum Step: CaseIterable {
        case set, replace, remove, take
    }

    @Test func everySequenceOfFiveStepsEqualsADictionary() {
        var visited = 0
        func visit(_ map: TransferMap<Int>, _ model: [Int: Int], depth: Int) {
            visited += 1
            check(map, model)
            guard depth > 0 else { return }
            for number in 1...3 {
                for step in Step.allCases {
                    var (map, model) = (map, model)
                    take(step, number, &map, &model)
                    visit(map, model, depth: depth - 1)
                }
            }
        }
        visit(TransferMap(), [:], depth: 5)
        #expect(visited == 271_453, "the exploration must not shrink")
    }

    @Test func itGoesThroughWhatItHadWhileItChanges() {
        var map = TransferMap<Int>()
        for number in 1...64 { map[TransferID(number)] = number }
        var seen: Set<Int> = []
        for (transfer, value) in map {
            #expect(transfer.rawValue == value)
            seen.insert(value)
            map[transfer] = nil
        }
        #expect(seen == Set(1...64))
        #expect(map.isEmpty)
    }

    private func take(_ step: Step, _ number: Int, _ map: inout TransferMap<Int>, _ model: inout [Int: Int]) {
        let transfer = TransferID(number)
        switch step {
        case .set: (map[transfer], model[number]) = (number, number)
        case .replace: (map[transfer], model[number]) = (-number, -number)
        case .remove: (map[transfer], model[number]) = (nil, nil)
        case .take: #expect(map.removeValue(forKey: transfer) == model.removeValue(forKey: number))
        }
    }

    private func check(_ map: TransferMap<Int>, _ model: [Int: Int]) {
        guard map.count == model.count, map.isEmpty == model.isEmpty,
            (1...3).allSatisfy({ map[TransferID($0)] == model[$0] }), map.values.sorted() == model.values.sorted(),
            Set(map.map(\.key.rawValue)) == Set(model.keys)
        else {
            Issue.record("\(map) is not \(model)")
            return
        }
    }
}

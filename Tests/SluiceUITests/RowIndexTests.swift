import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

/// Lists that are narrowed, sorted, or have rows taken out, while rows come and go.
struct RowIndexTests {
    /// A ring of numbers whose entries have a size; those of a size that three divides match a filter.
    private struct World {
        var list = ListState()
        var index = RowIndex()
        var sizes: [Int: Int] = [:]
        var (oldest, newest) = (1, 0)
        var hidden: Set<Int> = []
        let looks = Looks()

        final class Looks { var count = 0 }

        mutating func append(_ size: Int, limit: Int) {
            newest += 1
            sizes[newest] = size
            if newest - oldest >= limit { oldest += 1 }
        }

        mutating func refresh() {
            let (sizes, list, newest, looks) = (sizes, list, newest, looks)
            let size: (Int) -> Int = {
                looks.count += 1
                return sizes[$0] ?? 0
            }
            let isSorted = list.sort == .size
            index.refresh(
                list,
                RowIndex.Source(
                    oldest: oldest,
                    newest: newest,
                    rows: { last in
                        let all = (0..<max(0, newest - last)).map { newest - $0 }
                        return list.narrowing.isEmpty ? all : all.filter { size($0) % 3 == 0 }
                    },
                    sorted: { isSorted ? Self.sorted($0, size) : $0 },
                    isBefore: isSorted ? { size($0) < size($1) } : nil
                )
            )
        }

        static func sorted(_ rows: [Int], _ size: (Int) -> Int) -> [Int] {
            rows.enumerated().map { (size($0.element), $0.offset, $0.element) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
                .map(\.2)
        }

        /// What is shown, made from the beginning.
        var expected: [Int]? {
            let present = hidden.filter { $0 >= oldest }
            if list.isPlain, present.isEmpty { return nil }
            var rows = (oldest..<newest + 1).reversed().filter { !present.contains($0) }
            if !list.narrowing.isEmpty { rows = rows.filter { sizes[$0, default: 0] % 3 == 0 } }
            if list.sort == .size { rows = Self.sorted(rows) { sizes[$0, default: 0] } }
            return list.isReversed ? rows.reversed() : rows
        }
    }

    private static func list(_ look: Int) -> ListState {
        var list = ListState()
        if look & 1 != 0 { (list.filter, list.isNarrowed) = (ListFilter("x"), true) }
        if look & 2 != 0 { list.sort = .size }
        list.isReversed = look & 4 != 0
        return list
    }

    @Test(arguments: 0..<8) func whatIsTakenInBitByBitIsWhatIsMadeAtOnce(seed: Int) {
        var (world, random) = (World(), SeededRandom(seed: UInt64(seed)))
        for _ in 0..<3_000 {
            switch random.next() % 20 {
            case 0: world.list = Self.list(Int(random.next() % 8))
            case 1, 2:
                let rows = (0..<3).map { _ in world.oldest + Int(random.next() % 40) }.filter { $0 <= world.newest }
                world.hidden.formUnion(rows)
                world.index.hide(rows)
            case 3: world.index.invalidate()
            default: for _ in 0..<random.next() % 4 { world.append(Int(random.next() % 9), limit: 40) }
            }
            world.refresh()
            #expect(world.index.seqs == world.expected)
            if world.index.seqs != world.expected { return }
        }
    }

    @Test(arguments: 1..<8) func oneMoreRowIsLookedAtAlone(look: Int) {
        var world = World()
        for size in 0..<10_000 { world.append(size % 100, limit: 10_000) }
        world.list = Self.list(look)
        world.refresh()
        world.looks.count = 0
        world.append(99, limit: 10_000)
        world.refresh()
        #expect(world.index.seqs == world.expected)
        #expect(world.looks.count <= 1 + (look & 2 != 0 ? 2 * 14 : 0), "with what a search among 10,000 looks at")
    }

    @Test func rowsTakenOutAreForgottenWithTheRing() {
        var world = World()
        for size in 0..<100 { world.append(size, limit: 100) }
        world.refresh()
        world.index.hide([50, 60])
        world.refresh()
        #expect(world.index.seqs?.count == 98)
        for size in 0..<59 { world.append(size, limit: 100) }
        world.refresh()
        #expect(world.index.seqs?.count == 99)
        world.append(0, limit: 100)
        world.refresh()
        #expect(world.index.seqs == nil && world.index.hidden.isEmpty)
    }
}

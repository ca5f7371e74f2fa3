import SluiceCore
import Testing

struct RingBufferTests {
    @Test(arguments: 1...5) func aRingKeepsTheNewest(limit: Int) {
        for count in 0...12 {
            var ring = RingBuffer<Int>(limit: limit)
            for number in 0..<count { ring.append(number) }
            let kept = Array((0..<count).suffix(limit))
            #expect(ring.elements == kept && Array(ring) == kept && ring.last == kept.last)
            #expect(ring.indices.map { ring[age: $0] } == kept.reversed())
            #expect(ring.lost == max(0, count - limit))
        }
    }

    @Test(arguments: 0...5) func manyAtOnceAreAsOneAfterTheOther(before: Int) {
        for count in 0...9 {
            var (ring, model) = (RingBuffer<Int>(limit: 4), RingBuffer<Int>(limit: 4))
            for number in 0..<before {
                ring.append(number)
                model.append(number)
            }
            ring.append(contentsOf: Array(10..<10 + count))
            for number in 10..<10 + count { model.append(number) }
            #expect(ring.elements == model.elements && ring.lost == model.lost)
        }
    }

    @Test func anElementIsReplacedWhereItStands() {
        var ring = RingBuffer<Int>(limit: 3)
        for number in 0..<5 { ring.append(number) }
        ring[age: 0] = 40
        ring[0] = 20
        #expect(ring.elements == [20, 3, 40])
    }
}

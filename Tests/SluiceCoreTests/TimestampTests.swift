import SluiceCore
import Testing

struct TimestampTests {
    @Test(
        "what can't be counted becomes the nearest that can",
        arguments: [Int64.min, -1, 0, 1, .max],
        [
            Int64.min, -1, 0, 1, .max,
        ]
    )
    func differencesAndSumsEnd(left: Int64, right: Int64) {
        let (one, other) = (Timestamp(nanoseconds: left), Timestamp(nanoseconds: right))
        #expect((one - other).nanoseconds == Int64(clamping: Int128(left) - Int128(right)))
        let sum = one + .nanoseconds(right)
        #expect(sum.nanoseconds == Int64(clamping: Int128(left) + Int128(right)))
    }
}

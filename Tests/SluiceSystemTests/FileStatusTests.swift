import SluiceSystem
import Testing

struct FileStatusTests {
    @Test(
        arguments: [
            (0, 0, 0), (1, 5, 1_000_000_005), (-1, 999_999_999, -1),
            (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 854_775_808, .max),
            (9_223_372_036, 999_999_999, .max), (9_223_372_037, 0, .max), (.max, 999_999_999, .max),
            (-9_223_372_036, 0, -9_223_372_036_000_000_000), (-9_223_372_038, 999_999_999, .min), (.min, 0, .min),
        ] as [(Int64, Int64, Int64)]
    )
    func timesThat64BitsDoNotCountAreTheNearest(seconds: Int64, nanoseconds: Int64, time: Int64) {
        #expect(FileStatus.nanoseconds(seconds, nanoseconds) == time)
    }
}

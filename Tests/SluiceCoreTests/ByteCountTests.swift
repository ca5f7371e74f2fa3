import SluiceCore
import Testing

struct ByteCountTests {
    @Test(arguments: [
        ("0", 0), ("123", 123), ("1K", 1024), ("1k", 1024), ("2KiB", 2048), ("1.5M", 1_572_864), ("3 GiB", 3 << 30),
        ("64MB", 64 << 20), ("100B", 100), ("0.5K", 512),
    ])
    func sizesAreRead(text: String, count: Int) { #expect(ByteCount.parse(text) == count) }

    @Test(arguments: ["", "K", "-1", "+1", "1X", "1.5", "1.2.3K", "9999999999G", "1KK", "1iB", "0x10", "１", "1e3"])
    func allElseIsNoSize(text: String) { #expect(ByteCount.parse(text) == nil) }

    @Test(arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (104_857_600, "100 MiB"),
        (1_048_575, "1 MiB"), (-5, "0 B"),
    ])
    func sizesAreWritten(count: Int, text: String) { #expect(ByteCount.text(count) == text) }

    /// What the log says of a number, the sentence behind it says too.
    @Test(arguments: [0, 1023, 1_048_269, 1_048_575, 104_857_600])
    func aDecisionWritesItsSizesAsTheLogDoes(count: Int) {
        let sentence = Why.purgedAtOnce(cost: count, preferred: count).sentence(now: Timestamp(nanoseconds: 0))
        let text = ByteCount.text(count)
        #expect(sentence.contains("its \(text) are more than the \(text) that"))
    }
}

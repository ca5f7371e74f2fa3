import SluiceCore
import Testing

struct UnpackingLimitTests {
    private static let bodies: [(UnpackingLimit, Int, Int, Bool)] = [
        (.files, 10_485_760, 0, false), (.files, 10_485_761, 0, true), (.files, 20_000_000, 20_000, true),
        (.files, 20_000_000, 20_001, false), (.images, 10_485_760, 1, false), (.images, 20_000_000, 200_000, true),
        (.images, 20_000_000, 200_001, false),
    ]

    @Test(arguments: bodies)
    func aBombIsMuchThatIsMadeOfLittle(limit: UnpackingLimit, unpacked: Int, received: Int, isBomb: Bool) {
        var failure: DownloadError?
        do throws(DownloadError) { try limit.judge(unpacked, received: received) } catch { failure = error }
        #expect(failure?.code == (isBomb ? .tooLarge : nil))
    }
}

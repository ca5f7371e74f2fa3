import Testing

@testable import SluiceCore
@testable import SluicePipeline

/// What each receipt of a task gets.
struct DeliveryTests {
    private let size = ThumbnailSize(width: 4, height: 3)

    private func receipt(_ id: Int, _ options: RequestOptions) -> Receipt {
        Receipt(
            id: ReceiptID(id),
            options: options,
            source: .program,
            tag: nil,
            submitted: Timestamp(nanoseconds: 0)
        )
    }

    private func image(_ width: Int, _ height: Int) -> DecodedImage {
        DecodedImage(
            info: ImageInfo(format: .png, width: 40, height: 30),
            bitmap: Picture.bitmap(width: width, height: height)
        )
    }

    @Test func whoWantsAThumbnailGetsThatAndTheOthersTheWhole() {
        let end = TaskEnd(task: TaskID(1), url: "http://test/a.png", outcome: .success, receipts: 3)
        let (whole, small) = (image(40, 30), image(4, 3))
        let delivery = Delivery(end, image: whole, thumbnails: [size: small])
        #expect(delivery.image(for: receipt(1, RequestOptions(thumbnail: size))) === small)
        #expect(delivery.image(for: receipt(2, .standard)) === whole)
        let other = RequestOptions(thumbnail: ThumbnailSize(width: 9, height: 9))
        #expect(delivery.image(for: receipt(3, other)) === whole, "one that was not made")
    }

    @Test func whoSavesNothingGetsNoFile() {
        var end = TaskEnd(task: TaskID(1), url: "http://test/a.png", outcome: .success, receipts: 3)
        end.file = "/downloads/a.png"
        let delivery = Delivery(end, files: [ReceiptID(2): "/downloads/b.png"])
        #expect(delivery.file(for: receipt(1, .standard)) == "/downloads/a.png")
        #expect(delivery.file(for: receipt(2, .standard)) == "/downloads/b.png")
        #expect(delivery.file(for: receipt(3, RequestOptions(saves: false))) == nil)
    }
}

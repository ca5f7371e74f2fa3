internal import SluiceCore

/// How a task ended, and what there is of it for each of its receipts.
///
/// A value that is handed on, so that nothing of it is left when all receipts have their outcomes.
struct Delivery {
    var end: TaskEnd
    /// The whole one.
    let image: DecodedImage?
    /// Variants of it, for receipts that want those.
    let thumbnails: [ThumbnailSize: DecodedImage]
    /// For receipts whose file is not the task's.
    let files: [ReceiptID: String]

    init(
        _ end: TaskEnd,
        image: DecodedImage? = nil,
        thumbnails: [ThumbnailSize: DecodedImage] = [:],
        files: [ReceiptID: String] = [:]
    ) {
        (self.end, self.image, self.thumbnails, self.files) = (end, image, thumbnails, files)
    }

    /// The path of what a receipt asked to be saved; `nil` if it did not, or there is none.
    func file(for receipt: Receipt) -> String? {
        guard receipt.options.saves else { return nil }
        return files.isEmpty ? end.file : files[receipt.id] ?? end.file
    }

    /// The image in the size that a receipt asked for, as far as that was made.
    func image(for receipt: Receipt) -> DecodedImage? {
        receipt.options.thumbnail.flatMap { thumbnails[$0] } ?? image
    }
}

internal import SluiceCore
internal import SluicePictures

/// A picture of the demo before it is drawn.
struct DemoPicture: Sendable {
    enum Encoding: Sendable {
        case jpeg
        case progressive
        case png
        case webp
        case losslessWebP
        case animatedGIF
        case animatedWebP
    }

    enum Content: Sendable {
        case scene(OriginImages.Subject, width: Int, height: Int, seed: UInt32)
        case tile(column: Int, row: Int)
    }

    private static let frameCount = 16
    private static let tileZoom = 3

    let path: String
    let content: Content
    let encoding: Encoding
    /// How long its body takes to send, in seconds.
    let seconds: Double

    var format: ImageFormat {
        switch encoding {
        case .jpeg, .progressive: .jpeg
        case .png: .png
        case .webp, .losslessWebP, .animatedWebP: .webp
        case .animatedGIF: .gif
        }
    }

    /// Draws and encodes it; tens of milliseconds.
    func file() -> [UInt8] {
        switch encoding {
        case .jpeg: ImageEncoder.jpeg(bitmap(), quality: 94, color: .full)
        case .progressive: ImageEncoder.jpeg(bitmap(), quality: 92, isProgressive: true)
        case .png: ImageEncoder.png(bitmap())
        case .webp: ImageEncoder.webp(bitmap(), quality: 92)
        case .losslessWebP: ImageEncoder.webp(bitmap(), quality: nil)
        case .animatedGIF: ImageEncoder.gif(frames(), delay: 8)
        case .animatedWebP: ImageEncoder.animatedWebP(frames(), delay: 80)
        }
    }

    private func bitmap() -> Bitmap {
        switch content {
        case .scene(let subject, let width, let height, let seed):
            OriginImages.draw(subject, width: width, height: height, seed: seed)
        case .tile(let column, let row):
            OriginImages.tile(zoom: Self.tileZoom, column: column, row: row)
        }
    }

    private func frames() -> [Bitmap] {
        guard case .scene(let subject, let width, let height, let seed) = content else { return [bitmap()] }
        return OriginImages.frames(subject, width: width, height: height, count: Self.frameCount, seed: seed)
    }
}

internal import SluiceCore

/// A bitmap cut to a place on the screen: as many pixels as half cells.
///
/// A cell is taken to be twice as high as wide, so that half of one is a square. What is
/// transparent shows a board of two greys, which says so without a word; what has not arrived shows nothing.
struct CellImage: Sendable {
    /// In cells.
    let width: Int
    /// In cells.
    let height: Int
    /// Whether some of it may not have arrived.
    let isSketch: Bool
    private let halves: [PixelInk.Half?]

    /// Of what has arrived of a sketch; less is an edge that was blended with nothing.
    static let leastAlpha: UInt8 = 128

    /// How much of a picture is seen.
    struct Zoom: Equatable, Hashable, Sendable {
        /// 1 shows all of it, 2 half of its width, and so on.
        var factor = 1
        /// The middle of what is seen, in thousandths of the width and height.
        var x = 500
        var y = 500

        static let fit = Zoom()
    }

    /// Cuts a picture to fit into so many cells, in its own shape.
    ///
    /// A picture that is much smaller than the place grows by whole steps, so that its pixels stay squares.
    ///
    /// - Parameters:
    ///   - bitmap: Not larger than the screen needs: this runs on its thread.
    ///   - width: Of the place, in cells. `1...`
    ///   - height: Of the place, in cells. `1...`
    ///   - zoom: What part of it is seen.
    ///   - isSketch: Whether transparent parts have not arrived yet.
    init(_ bitmap: Bitmap, width: Int, height: Int, zoom: Zoom = .fit, isSketch: Bool = false) {
        let part = zoom.factor > 1 ? Self.cut(bitmap, zoom) : bitmap
        let box = (width: max(1, width), height: max(1, height) * 2)
        var size = Resampler.fit(width: part.width, height: part.height, into: box)
        let growth = max(1, min(box.width / size.width, box.height / size.height))
        if zoom.factor > 1 || growth > 1 {
            // Zoomed parts fill the place; small pictures grow by whole steps.
            size = (size.width * growth, size.height * growth)
        }
        let scaled = Resampler.scale(part, width: size.width, height: size.height)
        self.width = scaled.width
        self.height = (scaled.height + 1) / 2
        rows = scaled.height
        self.isSketch = isSketch
        halves = Self.overBoard(scaled, isSketch: isSketch)
    }

    /// In half cells.
    private let rows: Int

    /// - Returns: The half cell at a column and a row of halves, or `nil` below the last.
    func half(x: Int, y: Int) -> PixelInk.Half? {
        (0..<width).contains(x) && (0..<rows).contains(y) ? halves[y * width + x] : nil
    }

    /// Draws it in the middle of a place.
    func draw(in rect: Rect, _ painter: inout Painter) {
        painter.notePicture(self, in: rect)
        let (left, top) = (rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2)
        for y in 0..<min(height, rect.height) {
            for x in 0..<min(width, rect.width) {
                painter.put(half(x: x, y: y * 2), half(x: x, y: y * 2 + 1), x: left + x, y: top + y)
            }
        }
    }

    /// Cells that look different, as far as both have them.
    func changedCells(since other: CellImage) -> Int {
        guard width == other.width, rows == other.rows else { return width * height }
        var count = 0
        for y in 0..<height {
            for x in 0..<width
            where half(x: x, y: y * 2) != other.half(x: x, y: y * 2)
                || half(x: x, y: y * 2 + 1) != other.half(x: x, y: y * 2 + 1)
            {
                count += 1
            }
        }
        return count
    }

    /// The part of a picture that is seen.
    static func cut(_ bitmap: Bitmap, _ zoom: Zoom) -> Bitmap {
        let (width, height) = (max(1, bitmap.width / zoom.factor), max(1, bitmap.height / zoom.factor))
        let left = min(max(0, bitmap.width * zoom.x / 1_000 - width / 2), bitmap.width - width)
        let top = min(max(0, bitmap.height * zoom.y / 1_000 - height / 2), bitmap.height - height)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in top..<top + height {
            let start = (y * bitmap.width + left) * 4
            pixels += bitmap.pixels[start..<start + width * 4]
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    private static func overBoard(_ bitmap: Bitmap, isSketch: Bool) -> [PixelInk.Half?] {
        var halves: [PixelInk.Half?] = []
        halves.reserveCapacity(bitmap.width * bitmap.height)
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                let start = (y * bitmap.width + x) * 4
                let alpha = Int(bitmap.pixels[start + 3])
                if isSketch, alpha < Int(leastAlpha) {
                    halves.append(nil)
                    continue
                }
                let board = (x / 3 + y / 3).isMultiple(of: 2) ? 58 : 44
                func over(_ channel: Int) -> UInt8 {
                    alpha == 255
                        ? bitmap.pixels[start + channel]
                        : UInt8((Int(bitmap.pixels[start + channel]) * alpha + board * (255 - alpha) + 127) / 255)
                }
                halves.append(PixelInk.Half(red: over(0), green: over(1), blue: over(2)))
            }
        }
        return halves
    }
}

import SluiceCore
import Testing

@testable import SluiceUI

struct CellImageTests {
    private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
        [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
    )

    private static func bitmap(_ width: Int, _ pixels: [[UInt8]]) -> Bitmap {
        Bitmap(width: width, height: pixels.count / width, pixels: pixels.flatMap(\.self))
    }

    /// Draws a picture into a place of a blank screen, with the colours of each cell as text.
    private static func draw(_ bitmap: Bitmap, _ width: Int, _ height: Int, _ kind: PixelInk.Kind) -> [String] {
        var painter = Painter(
            width: width,
            height: height,
            theme: Theme(depth: .palette256),
            glyphs: Glyphs(isASCII: false, depth: .palette256)
        )
        painter.pixels = PixelInk(
            depth: kind == .shades ? .mono : .palette256,
            isASCII: kind == .ascii,
            hasTrueColor: kind == .trueColor
        )
        CellImage(bitmap, width: width, height: height)
            .draw(in: Rect(x: 0, y: 0, width: width, height: height), &painter)
        let canvas = painter.finished()
        return (0..<height).map { y in
            canvas.cells(inRow: y).map { cell in
                let colors = [cell.style.foreground, cell.style.background].map {
                    $0 < 0 ? "-" : $0 < 256 ? "\($0)" : String($0, radix: 16)
                }
                return cell.character == " " ? "." : "\(cell.character ?? "?")\(colors.joined(separator: "/"))"
            }.joined(separator: " ")
        }
    }

    @Test func twoPixelsShareACell() {
        let picture = Self.bitmap(2, [Self.red, Self.green, Self.blue, Self.red])
        #expect(Self.draw(picture, 2, 1, .trueColor) == ["▀ff0000/1ff ▀ff00/ff0000"])
        #expect(Self.draw(picture, 2, 1, .palette) == ["▀196/21 ▀46/196"])
    }

    @Test func anOddLastRowLeavesTheGroundBelow() {
        let picture = Self.bitmap(1, [Self.red, Self.green, Self.blue])
        #expect(Self.draw(picture, 1, 2, .palette) == ["▀196/46", "▀21/-"])
    }

    @Test func aPictureStandsInTheMiddleInItsOwnShape() {
        let wide = Self.bitmap(
            4,
            [Self.red, Self.red, Self.red, Self.red] + [Self.blue, Self.blue, Self.blue, Self.blue]
        )
        #expect(
            Self.draw(wide, 6, 3, .palette) == [". . . . . .", ". ▀196/21 ▀196/21 ▀196/21 ▀196/21 .", ". . . . . ."]
        )
    }

    @Test func aTinyPictureGrowsByWholeSteps() {
        let tiny = Self.bitmap(2, [Self.red, Self.green, Self.green, Self.red])
        let cells = "▀196/196 ▀196/196 ▀46/46 ▀46/46"
        #expect(Self.draw(tiny, 4, 2, .palette) == [cells, "▀46/46 ▀46/46 ▀196/196 ▀196/196"])
    }

    @Test func whatIsTransparentShowsABoard() {
        let clear = Bitmap(width: 6, height: 2, pixels: [UInt8](repeating: 0, count: 48))
        let row = Self.draw(clear, 6, 1, .trueColor)[0].split(separator: " ")
        #expect(row[0] == "▀3a3a3a/3a3a3a" && row[3] == "▀2c2c2c/2c2c2c")
        let half = Self.bitmap(1, [[255, 255, 255, 128], [0, 0, 0, 128]])
        #expect(Self.draw(half, 1, 1, .trueColor) == ["▀9d9d9d/1d1d1d"])
    }

    @Test func whatHasNotArrivedShowsNothing() {
        let half = Bitmap(
            width: 2,
            height: 2,
            pixels: [255, 0, 0, 255, 255, 0, 0, 255] + [UInt8](repeating: 0, count: 8)
        )
        let image = CellImage(half, width: 2, height: 1, isSketch: true)
        #expect(image.half(x: 0, y: 0) != nil && image.half(x: 0, y: 1) == nil)
    }

    @Test func withoutColoursBrightnessIsASign() {
        let grey: [[UInt8]] = [0, 60, 120, 180, 255].map { [$0, $0, $0, 255] }
        let picture = Self.bitmap(5, grey + grey)
        let shades = Self.draw(picture, 5, 1, .shades).joined()
        #expect(shades == ". ░-/- ▒-/- ▓-/- █-/-")
        let ascii = Self.draw(picture, 5, 1, .ascii).joined()
        #expect(ascii == ". :-/- =-/- %-/- @-/-")
    }

    @Test func zoomShowsAPartThatFillsThePlace() {
        let pixels = (0..<64).map { index -> [UInt8] in index % 8 < 4 ? (index < 32 ? Self.red : Self.green) : Self.blue
        }
        let picture = Self.bitmap(8, pixels)
        let zoom = CellImage.Zoom(factor: 2, x: 0, y: 0)
        let part = CellImage(picture, width: 8, height: 4, zoom: zoom)
        #expect((part.width, part.height) == (8, 4))
        #expect(part.half(x: 7, y: 7) == PixelInk.Half(red: 255, green: 0, blue: 0))
    }

    @Test func changedCellsAreCounted() {
        let first = CellImage(Self.bitmap(2, [Self.red, Self.red, Self.red, Self.red]), width: 2, height: 1)
        let second = CellImage(Self.bitmap(2, [Self.red, Self.red, Self.red, Self.blue]), width: 2, height: 1)
        #expect(first.changedCells(since: first) == 0 && second.changedCells(since: first) == 1)
    }

    @Test(arguments: [[110, 95, 130], [150, 190, 160], [150, 115, 115], [200, 190, 170]] as [[UInt8]])
    func whatIsNotStrongHasItsHueInThePaletteToo(color: [UInt8]) {
        let half = PixelInk.Half(red: color[0], green: color[1], blue: color[2])
        let square = (0..<16).map { PaletteColor.rgb(DitherTable.color(half, x: $0 % 4, y: $0 / 4)) }
        let sum = square.reduce((0, 0, 0)) { ($0.0 + $1.0, $0.1 + $1.1, $0.2 + $1.2) }
        for (mean, level) in zip([sum.0 / 16, sum.1 / 16, sum.2 / 16], color) {
            #expect(abs(mean - Int(level)) <= 10, "\(sum) of \(color)")
        }
        let picture = Self.bitmap(4, Array(repeating: color + [255], count: 16))
        let cells = Self.draw(picture, 4, 2, .palette).flatMap { $0.split(separator: " ") }
        #expect(Set(cells).count > 1, "the pattern is on the screen: \(cells)")
    }

    @Test(
        arguments: [[0, 0, 0], [255, 255, 255], [255, 0, 0], [95, 135, 175], [60, 90, 60], [20, 18, 40]] as [[UInt8]]
    )
    func whatThePaletteHasAndWhatIsDarkStaysPlain(color: [UInt8]) {
        let half = PixelInk.Half(red: color[0], green: color[1], blue: color[2])
        let nearest = PixelInk.nearest(Int(color[0]), Int(color[1]), Int(color[2]))
        #expect((0..<16).allSatisfy { DitherTable.color(half, x: $0 % 4, y: $0 / 4) == nearest })
    }

    @Test func theNearestColourOfThePaletteIsTaken() {
        for (color, index) in [
            ([0, 0, 0], 16), ([255, 255, 255], 231), ([128, 128, 128], 244), ([95, 135, 175], 67), ([8, 8, 8], 232),
            ([238, 238, 238], 255), ([255, 0, 255], 201), ([40, 38, 42], 235),
        ] {
            #expect(PixelInk.nearest(color[0], color[1], color[2]) == Int32(index), "\(color)")
        }
    }
}

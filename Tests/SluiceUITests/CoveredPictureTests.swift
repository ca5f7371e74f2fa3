import SluiceCore
import Testing

@testable import SluiceUI

/// A picture behind the help or a question: quiet, and without stripes.
struct CoveredPictureTests {
    /// With the keys after which the help leaves some of the picture.
    private static let sizes = [(80, 24, "iz"), (120, 36, ""), (200, 50, "")]

    /// A dashboard with one wide picture in the preview, of one colour.
    private func dashboard(
        _ width: Int,
        _ height: Int,
        depth: ColorDepth = .palette256,
        keys: String,
        pixels: Bool = false
    ) -> Dashboard {
        var dashboard = Scene.empty.dashboard(width, height, depth: depth)
        if pixels { send(.pixels(PixelPicture.CellSize(width: 9, height: 18)), &dashboard) }
        var end = TaskEnd(task: TaskID(1), url: "http://a/1.png", outcome: .success, receipts: 1)
        (end.bytes, end.file) = (9_000, "/home/u/Pictures/1.png")
        end.image = ImageInfo(format: .png, width: 512, height: 128)
        send(.events([PipelineEvent(seq: 901, t: .seconds(61), kind: .taskFinished(end))], lost: 0), &dashboard)
        let pixel: [UInt8] = [220, 60, 30, 255]
        let bitmap = Bitmap(width: 512, height: 128, pixels: (0..<512 * 128).flatMap { _ in pixel })
        let image = DecodedImage(info: ImageInfo(format: .png, width: 512, height: 128), bitmap: bitmap)
        func answer() {
            for ask in 1...3 { send(.picture(ask: ask, .picture(Picture(id: 1, of: image, proof: image))), &dashboard) }
        }
        for key in keys {
            send(.key(.character(key)), &dashboard)
            // Only what is there can be zoomed.
            answer()
        }
        answer()
        return dashboard
    }

    private func send(_ event: AppEvent, _ dashboard: inout Dashboard) {
        _ = dashboard.handle(event, now: Scene.now)
    }

    private func halves(_ frame: Frame) -> [Canvas.Cell] { frame.canvas.cells.filter { $0.character == "▀" } }

    /// Both halves look the same; the last row of a picture may have one half only.
    private func isEven(_ cell: Canvas.Cell) -> Bool {
        cell.style.background == cell.style.foreground || cell.style.background == -1
    }

    private func placeholders(_ frame: Frame) -> [Canvas.Cell] {
        frame.canvas.cells.filter { $0.character?.unicodeScalars.first == "\u{10EEEE}" }
    }

    @Test(arguments: sizes) func anEvenPictureStaysEven(width: Int, height: Int, keys: String) throws {
        var dashboard = dashboard(width, height, keys: keys)
        let bright = try #require(halves(dashboard.frame(width: width, height: height, now: Scene.now)).first?.style)
        for overlay in height > 24 ? ["?", "D"] : ["?"] {
            if overlay == "D" { for key in [Key.escape, .character("8")] { send(.key(key), &dashboard) } }
            send(.key(.character(Character(overlay))), &dashboard)
            let cells = halves(dashboard.frame(width: width, height: height, now: Scene.now))
            #expect(!cells.isEmpty, "some of it is seen around \(overlay)")
            #expect(cells.allSatisfy(isEven), "no stripes behind \(overlay)")
            #expect(cells.allSatisfy { (233..<240).contains($0.style.foreground) }, "near the ground")
            #expect(bright.foreground != cells.first?.style.foreground)
        }
    }

    @Test(arguments: [ColorDepth.ansi16, .ansi8, .mono]) func withoutColoursItsSignsAreDimmed(depth: ColorDepth) {
        var dashboard = dashboard(120, 36, depth: depth, keys: "")
        send(.key(.character("?")), &dashboard)
        let frame = dashboard.frame(width: 120, height: 36, now: Scene.now)
        let signs = frame.canvas.cells.filter { "░▒▓█".contains($0.character ?? " ") }
        let dim = Theme(depth: depth).dimmed(.plain)
        #expect(!signs.isEmpty && signs.allSatisfy { $0.style == dim })
    }

    @Test(arguments: sizes) func aPictureOfTheTerminalsIsNotSentAgain(width: Int, height: Int, keys: String) throws {
        var dashboard = dashboard(width, height, keys: keys, pixels: true)
        let before = dashboard.frame(width: width, height: height, now: Scene.now)
        let serial = try #require(before.picture?.serial)
        #expect(!placeholders(before).isEmpty && halves(before).isEmpty)

        send(.key(.character("?")), &dashboard)
        let covered = dashboard.frame(width: width, height: height, now: Scene.now)
        #expect(placeholders(covered).isEmpty, "a cell in another colour would stand for another picture")
        let cells = halves(covered)
        #expect(!cells.isEmpty && cells.allSatisfy(isEven))
        #expect(covered.picture?.serial == serial, "the terminal keeps it")

        send(.key(.escape), &dashboard)
        let after = dashboard.frame(width: width, height: height, now: Scene.now)
        #expect(after.canvas == before.canvas && after.picture?.serial == serial)
    }

    @Test func onALightGroundItIsLight() {
        let ink = PixelInk(depth: .palette256, isASCII: false, hasTrueColor: true)
        let black = PixelInk.Half(red: 0, green: 0, blue: 0)
        let white = PixelInk.Half(red: 255, green: 255, blue: 255)
        let light = ink.hushed(.plain, isLight: true).cell(black, white, x: 0, y: 0).style
        #expect((light.foreground, light.background) == (249, 255))
        let dark = ink.hushed(.plain, isLight: false).cell(black, white, x: 0, y: 0).style
        #expect((dark.foreground, dark.background) == (233, 239))
    }
}

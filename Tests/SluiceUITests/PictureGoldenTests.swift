import SluiceCore
import Testing

@testable import SluiceUI

/// Preview and gallery at every size, as a person approved them; see ``GoldenTests``.
struct PictureGoldenTests {
    @Test(arguments: GoldenTests.sizes) func preview(width: Int, height: Int) throws {
        for moment in Self.previews {
            var driver = Self.driver(moment, width, height)
            _ = driver.press("i")
            driver.show(moment.answer)
            for _ in 0..<moment.back {
                _ = driver.press("]")
                driver.show(moment.answer)
            }
            try Self.expect(&driver, "preview-\(moment.name)", width, height)
        }
    }

    @Test(arguments: GoldenTests.sizes) func gallery(width: Int, height: Int) throws {
        for moment in Self.galleries {
            var driver = Self.driver(moment, width, height)
            _ = driver.press("I")
            driver.show(moment.answer)
            for _ in 0..<moment.back { _ = driver.press(keys: [.right]) }
            driver.show(moment.answer)
            try Self.expect(&driver, "gallery-\(moment.name)", width, height)
        }
    }

    /// Beside the lists, where the layout has a place for it.
    @Test(arguments: [(120, 36), (200, 50)]) func previewBesideTheLists(width: Int, height: Int) throws {
        // The row that was finished last is seen there, which is one and the same in both scenes of names.
        for moment in Self.previews where moment.name != "rtl" {
            var driver = Self.driver(moment, width, height)
            _ = driver.send(.wake)
            driver.show(moment.answer)
            try Self.expect(&driver, "beside-\(moment.name)", width, height)
        }
    }

    /// What arrived of an image that is still being loaded.
    @Test(arguments: GoldenTests.sizes) func partial(width: Int, height: Int) throws {
        var driver = Driver(.full, width, height)
        _ = driver.press("jki")
        _ = driver.send(.sketch(PictureSketch(task: TaskID(1), bitmap: FakePicture.bitmap())))
        driver.pass(.seconds(1))
        try Self.expect(&driver, "preview-partial", width, height)
    }

    fileprivate enum Answer { case picture, failure, nothing }

    private struct Moment {
        let name: String
        let scene: Scene
        var answer = Answer.picture
        /// How many pictures to go back from the newest, or tiles to the right.
        var back = 0
        var depth = ColorDepth.palette256
        var isASCII = false
    }

    private static let previews = [
        Moment(name: "full", scene: .full), Moment(name: "waiting", scene: .full, answer: .nothing),
        Moment(name: "wide", scene: .wide, back: 7), Moment(name: "rtl", scene: .wide, back: 6),
        Moment(name: "empty", scene: .empty), Moment(name: "failing", scene: .full, answer: .failure),
        Moment(name: "ascii", scene: .full, isASCII: true), Moment(name: "mono", scene: .full, depth: .mono),
    ]

    private static let galleries = [
        Moment(name: "full", scene: .full), Moment(name: "wide", scene: .wide, back: 5),
        Moment(name: "rtl", scene: .wide, back: 11), Moment(name: "empty", scene: .empty),
        Moment(name: "failing", scene: .failing, answer: .failure),
        Moment(name: "ascii", scene: .wide, isASCII: true), Moment(name: "mono", scene: .wide, depth: .mono),
    ]

    private static func driver(_ moment: Moment, _ width: Int, _ height: Int) -> Driver {
        Driver(moment.scene.dashboard(width, height, depth: moment.depth, ascii: moment.isASCII), width, height)
    }

    private static func expect(_ driver: inout Driver, _ name: String, _ width: Int, _ height: Int) throws {
        let now = driver.now
        try Golden.check(&driver.dashboard, name, width, height, now: now)
    }
}

extension Driver {
    /// Answers whatever pictures were asked for; numbers that nobody asked for are passed over.
    fileprivate mutating func show(_ answer: PictureGoldenTests.Answer) {
        for ask in 1...60 {
            switch answer {
            case .picture: _ = send(.picture(ask: ask, .picture(FakePicture.picture(ask))))
            case .failure:
                // Not in memory, and then not as a file.
                for _ in 0..<2 { _ = send(.picture(ask: ask, .none("neither in memory nor saved"))) }
            case .nothing: break
            }
        }
        pass(.seconds(1))
    }
}

import Glibc
import SluiceCore
import Testing

@testable import SluiceUI

struct ThemeTests {
    private static let palettes: [Palette] = [.dark, .light, .contrast, .lightContrast]

    @Test(arguments: palettes) func textStandsOutFromItsGround(palette: Palette) {
        let grounds: [(Int, Int, Int)] = palette.isLight ? [(0xFB, 0xFB, 0xF8)] : [(0x10, 0x14, 0x18)]
        let least = palette.name == "contrast" ? 7.0 : 4.5
        for role in Role.allCases where ![.fg, .frame, .track, .select, .ink].contains(role) {
            let color = PaletteColor.rgb(max(16, palette.color(role) == 15 ? 231 : palette.color(role)))
            for ground in grounds + [PaletteColor.rgb(palette.color(.select))] {
                #expect(Self.contrast(color, ground) >= least - 0.05, "\(palette.name) \(role)")
            }
        }
        let ink = PaletteColor.rgb(palette.color(.ink))
        for role in [Role.focus, .wait, .bad, .accent, .purge] {
            #expect(Self.contrast(ink, PaletteColor.rgb(palette.color(role))) >= 4.5, "ink on \(role)")
        }
    }

    @Test func theGroundDecidesWhereTheUserLeavesItOpen() {
        for (choice, roles) in [
            (ThemeChoice.auto, (Int32(114), Int32(22))), (.contrast, (120, 22)), (.dark, (114, 114)),
        ] {
            var configuration = Scene.configuration()
            configuration.theme = choice
            var dashboard = Dashboard(configuration)
            _ = dashboard.handle(.resized(width: 80, height: 24), now: Scene.now)
            _ = dashboard.handle(.snapshot(Scene.full.snapshot), now: Scene.now)
            _ = dashboard.handle(.key(.escape), now: Scene.now)
            let dark = dashboard.frame(width: 80, height: 24, now: Scene.now)
            #expect(Self.focusColor(dark) == roles.0)
            _ = dashboard.handle(.ground(isLight: true), now: Scene.now)
            #expect(dashboard.frameDue(now: Scene.now).map { $0 <= Scene.now } == (roles.0 == roles.1 ? nil : true))
            let light = dashboard.frame(width: 80, height: 24, now: Scene.now)
            #expect(Self.focusColor(light) == roles.1)
            #expect(light.canvas.text == dark.canvas.text, "only colours differ")
        }
    }

    @Test func monoIsWeightsAlone() {
        var configuration = Scene.configuration()
        configuration.theme = .mono
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.resized(width: 80, height: 24), now: Scene.now)
        let frame = dashboard.frame(width: 80, height: 24, now: Scene.now)
        #expect(frame.canvas.cells.allSatisfy { $0.style.foreground == -1 && $0.style.background == -1 })
    }

    /// Their blue has a contrast of less than 2:1 to black.
    @Test(arguments: [Palette.dark, .contrast]) func eightColoursDrawNothingInDarkBlue(palette: Palette) {
        let theme = Theme(depth: .ansi8, palette: palette)
        for role in Role.allCases { #expect(theme.style(Ink(role), on: nil).foreground != 4, "\(role)") }
        for step in 0..<Gradient.steps { #expect(theme.style(Ink(.run, step), on: nil).foreground == 6) }
        let light = Theme(depth: .ansi8, palette: .light)
        #expect(light.style(Ink(.run, 3), on: nil).foreground == 4, "on white it can be seen")
    }

    /// Many terminals draw bold colours bright, and bright cyan on white is none.
    @Test(arguments: [Palette.light, .lightContrast], [ColorDepth.ansi8, .ansi16])
    func fewColoursAreNeverBoldOnALightGround(palette: Palette, depth: ColorDepth) {
        let theme = Theme(depth: depth, palette: palette)
        for role in Role.allCases {
            let style = theme.style(Ink(role, bold: true), on: nil)
            #expect(!(1...6).contains(style.foreground) || !style.attributes.contains(.bold), "\(role)")
        }
        #expect(theme.style(Ink(.accent, bold: true), on: nil).foreground == 4)
        #expect(theme.style(Ink(.bright, bold: true), on: nil).attributes.contains(.bold), "a figure stays one")
    }

    /// Bold black is drawn as grey, as on the flash of a purge.
    @Test(arguments: [Palette.dark, .contrast], [ColorDepth.ansi8, .ansi16])
    func darkInkIsNeverBoldOnAFilledGroundWhereColoursAreFew(palette: Palette, depth: ColorDepth) {
        let theme = Theme(depth: depth, palette: palette)
        for ground in [Role.purge, .bad, .focus, .wait, .accent] {
            let style = theme.style(Ink(.ink, bold: true), on: ground)
            #expect(style.foreground == 0 && !style.attributes.contains(.bold), "\(ground)")
        }
        let rich = Theme(depth: .palette256, palette: palette).style(Ink(.ink, bold: true), on: .purge)
        #expect(rich.attributes.contains(.bold), "colours of the palette are what they are")
    }

    /// White can be read on red and blue, and hardly on green, yellow and cyan.
    @Test(arguments: [Palette.light, .lightContrast], [ColorDepth.ansi8, .ansi16])
    func lightInkIsBlackOnAFilledGroundThatIsLightItselfWhereColoursAreFew(palette: Palette, depth: ColorDepth) {
        let cyan = palette.changed(name: "cyan", roles: [.focus: 37], gradients: [:])
        for (palette, ground, color) in [
            (palette, Role.focus, Int32(2)), (palette, .wait, 3), (palette, .purge, 3), (cyan, .focus, 6),
        ] {
            let style = Theme(depth: depth, palette: palette).style(Ink(.ink, bold: true), on: ground)
            #expect(style.background == color && style.foreground == 0, "\(ground)")
            #expect(!style.attributes.contains(.bold), "bold black is grey")
        }
        for (ground, color) in [(Role.bad, Int32(1)), (.accent, 4)] {
            let style = Theme(depth: depth, palette: palette).style(Ink(.ink), on: ground)
            #expect(style.background == color && style.foreground == (depth == .ansi8 ? 7 : 15), "\(ground)")
        }
    }

    @Test(arguments: [("", "1 active"), ("2", "2 queued")])
    func withoutColoursTheTitleOfTheFocusedPanelIsReversed(key: String, title: String) {
        var driver = Driver(Scene.full.dashboard(120, 36, depth: .mono), 120, 36)
        _ = driver.press(key)
        let canvas = driver.frame.canvas
        let titles = (0..<36).map(canvas.cells(inRow:)).filter { $0.contains { $0.character == "╭" } }.map { row in
            String(row.filter { $0.style.attributes.contains(.reverse) }.compactMap(\.character))
        }
        #expect(titles.filter { !$0.isEmpty } == [title], "\(driver.text)")
    }

    @Test(arguments: [ColorDepth.mono, .ansi8, .ansi16])
    func ofSelectedRowsTheCursorsAloneIsReversedWhereColoursAreFew(depth: ColorDepth) throws {
        var driver = Driver(Scene.full.dashboard(120, 36, depth: depth), 120, 36)
        _ = driver.press("2 ")
        let canvas = driver.frame.canvas
        let y = try #require((0..<36).first { canvas.row($0).contains("●") })
        let (selected, cursor) = (canvas.cells(inRow: y), canvas.cells(inRow: y + 1))
        #expect(selected.allSatisfy { !$0.style.attributes.contains(.reverse) })
        let name = try #require(selected.first { $0.character?.isLetter == true })
        #expect(name.style.attributes.contains(.bold))
        #expect(cursor.contains { $0.style.attributes.contains(.reverse) })
    }

    @Test func ownThemesComeFromTheConfiguration() throws {
        let text = """
            [themes.sea]
            base = "light"
            focus = "#0000ff"
            bad = 160
            fg = "default"
            netGradient = ["#000080", "#00ffff"]
            """
        let file = try ConfigurationFile(path: "c.toml", bytes: Array(text.utf8))
        guard case .own(let palette)? = try ThemeFile.theme("sea", in: file) else {
            Issue.record("the theme must be found")
            return
        }
        #expect(palette.name == "sea" && palette.isLight)
        #expect(palette.color(.focus) == 21 && palette.color(.bad) == 160 && palette.color(.fg) == -1)
        #expect(palette.color(.ok) == Palette.light.color(.ok))
        #expect(palette.color(.net, 0) == 18 && palette.color(.net, 11) == 51)
        #expect(try ThemeFile.names(in: file) == ["sea"])
        #expect(try ThemeFile.theme("dark", in: file) == .dark)
        #expect(try ThemeFile.theme("lake", in: file) == nil)
    }

    @Test(arguments: [
        ("[themes.a]\nfocus = \"blue\"", "c.toml:2"), ("[themes.a]\ncolour = 3", "c.toml:2"),
        ("[themes.a]\nbase = \"pink\"", "c.toml:2"), ("[themes.a]\nrunGradient = [1]", "c.toml:2"),
        ("[themes]\na = 3", "c.toml:2"),
    ]) func wrongThemesNameFileAndLine(text: String, place: String) throws {
        let file = try ConfigurationFile(path: "c.toml", bytes: Array(text.utf8))
        do throws(ConfigurationError) {
            _ = try ThemeFile.theme("a", in: file)
            Issue.record("it must be refused")
        } catch {
            #expect(error.message.contains("c.toml") && error.line == 2, "\(error.message) \(place)")
        }
    }

    @Test func coloursAreTheNearestOfThePalette() {
        #expect(PaletteColor.index("#ff0000") == 196)
        #expect(PaletteColor.index("#808080") == 244)
        #expect(PaletteColor.index("255") == 255)
        for text in ["256", "-2", "#12345", "#gggggg", "red", ""] { #expect(PaletteColor.index(text) == nil) }
        for index in Int32(16)...255 { #expect((0..<16).contains(PaletteColor.sixteen(nearest: index))) }
    }

    private static func focusColor(_ frame: Frame) -> Int32? {
        frame.canvas.cells.first { $0.character == "╭" }?.style.foreground
    }

    private static func contrast(_ a: (Int, Int, Int), _ b: (Int, Int, Int)) -> Double {
        func luminance(_ color: (Int, Int, Int)) -> Double {
            func linear(_ level: Int) -> Double {
                let value = Double(level) / 255
                return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(color.0) + 0.7152 * linear(color.1) + 0.0722 * linear(color.2)
        }
        let (high, low) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
        return (high + 0.05) / (low + 0.05)
    }
}

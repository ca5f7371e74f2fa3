internal import ArgumentParser
internal import Glibc
internal import SluiceSystem

/// Whether to use colours; one option of every command that writes to a terminal.
struct ColorOption: ParsableArguments {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never
    }

    @Option(help: "Use colours: auto, always or never. Without it, NO_COLOR means never.")
    var color: Choice?

    /// Whether a screen has colours, which is a terminal in any case.
    var usesColor: Bool {
        switch color ?? .auto {
        case .always: true
        case .never: false
        case .auto: !Self.isRefused
        }
    }

    /// Whether lines have colours that go to a descriptor, which may be no terminal.
    func usesColor(on descriptor: Int32) -> Bool {
        guard usesColor, color != .always else { return usesColor }
        return isatty(descriptor) == 1 && !["", "dumb"].contains(Environment.variable("TERM") ?? "")
    }

    private static var isRefused: Bool { !(Environment.variable("NO_COLOR") ?? "").isEmpty }

    /// Takes what neither command line nor environment say from the configuration.
    mutating func fill(_ defaults: Configuration.Defaults) {
        if !Self.isRefused { color = color ?? defaults.color }
    }
}

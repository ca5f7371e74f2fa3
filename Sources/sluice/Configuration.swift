internal import SluiceCore
internal import SluiceSystem
internal import SluiceUI

/// What the configuration file says, checked.
///
/// Read once at start. Command line and environment win over it. A key that nobody knows, or
/// a value that is not allowed, ends the program with file, line and what is allowed.
struct Configuration {
    /// What stands for options that were not given; `nil` where the file says nothing.
    struct Defaults {
        var dir: String?
        var noSave: Bool?
        var sync: Bool?
        var ipVersion: Int?
        var log: String?
        var userAgent: String?
        var proxy: String?
        var onActivity: String?
        var netrc: Bool?
        var noCookies: Bool?
        var allowDowngrade: Bool?
        var color: ColorOption.Choice?
        var theme: String?
        var plain: Bool?
        var ascii: Bool?
    }

    /// Where it is, or would be; `nil` if nothing says where that is.
    private(set) var place: String?
    /// For those who read sections of their own, such as `[keys]`; `nil` if there is no file.
    private(set) var file: ConfigurationFile?
    private(set) var defaults = Defaults()
    /// Settings as texts, as they are given on the command line.
    private(set) var settings: [(name: String, text: String)] = []
    private(set) var headerRules: [HostRules.HeaderRule] = []
    /// Whom to trust, before the command line is laid over it.
    private(set) var trust = TrustBookBuilder()
    /// Whose word counts for proxies; `nil` means the system's.
    private(set) var proxyAuthorities: CertificateFile?
    /// Of the dashboard.
    var keys: KeyMap { ownKeys ?? .standard }
    /// `nil` without a file: then they need not even be made where there is no dashboard.
    private var ownKeys: KeyMap?

    /// No file.
    init() {}

    /// Reads `--config`, or else the user's own file if there is one.
    ///
    /// - Parameter path: Of `--config`.
    /// - Throws: ``ExitStatus`` after a message.
    init(path: String?) throws {
        place = path.map(HomeFolder.expanded) ?? Self.usualPath
        guard let place else { return }
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(place)
        } catch {
            if path == nil, error.isMissing { return }
            throw complain("can't read the configuration \(place): \(error.text)")
        }
        do throws(ConfigurationError) {
            try take(ConfigurationFile(path: HomeFolder.abbreviated(place), bytes: bytes))
        } catch {
            throw complain(error.message)
        }
    }

    /// `$XDG_CONFIG_HOME/sluice/config.toml`; `nil` if nothing says where that is.
    static var usualPath: String? { Environment.current.configurationFolder.map { $0 + "/config.toml" } }

    private mutating func take(_ file: ConfigurationFile) throws(ConfigurationError) {
        self.file = file
        var changes: [(change: SettingChange, line: Int)] = []
        for entry in file.entries {
            if let key = ConfigurationKey.all.first(where: { $0.name == entry.key }) {
                guard key.take(&defaults, entry.node) else {
                    throw file.bad(entry, allowed: key.allowed, isSecret: key.name == "proxy")
                }
            } else if Settings.names.contains(entry.key) {
                do throws(SettingError) {
                    changes.append((try Settings.parse(entry.key, entry.node), entry.line))
                } catch {
                    throw file.error(entry.node.line, error.message)
                }
            } else if !ConfigurationKey.sections.contains(entry.key) {
                let allowed = Settings.names + ConfigurationKey.all.map(\.name) + ConfigurationKey.sections
                throw file.unknown(entry, allowed: allowed)
            }
        }
        try check(changes, in: file)
        settings = changes.map { ($0.change.name, $0.change.value.text) }
        headerRules = try HeaderSections.read(file)
        trust = try TrustSections.read(file)
        proxyAuthorities = try TrustSections.proxyAuthorities(file)
        ownKeys = try KeySections.read(file)
        try checkThemes(file)
    }

    /// Leaves a field to the command line, which says it itself: no section of the file adds, replaces or removes it.
    mutating func leave(_ name: String) {
        for index in headerRules.indices { headerRules[index].leave(name) }
    }

    /// Themes are made where something is drawn; what is wrong with them is said everywhere.
    private func checkThemes(_ file: ConfigurationFile) throws(ConfigurationError) {
        var names = ThemeChoice.names
        for name in try ThemeFile.names(in: file) {
            _ = try ThemeFile.theme(name, in: file)
            names.append(name)
        }
        guard let name = defaults.theme, !names.contains(name) else { return }
        let line = file.entries.first { $0.key == "theme" }?.node.line ?? 1
        throw file.error(line, "there is no theme \(name); there are \(names.joined(separator: " "))")
    }

    /// Settings that contradict each other are the fault of the file, so it is named.
    private func check(
        _ changes: [(change: SettingChange, line: Int)],
        in file: ConfigurationFile
    ) throws(ConfigurationError) {
        var settings = Settings()
        var all = changes.map(\.change)
        let preferred = changes.last { $0.change.name == "cachePreferred" }
        // Without a preferred size, a capacity brings its own.
        let capacity = changes.last { $0.change.name == "cacheCapacity" }
        if preferred == nil, case .integer(let size)? = capacity?.change.value {
            all.append(SettingChange(name: "cachePreferred", value: .integer(Settings.usualPreferred(of: size))))
        }
        do throws(SettingError) {
            try settings.apply(all)
        } catch {
            throw file.error(preferred?.line ?? 1, error.message)
        }
    }
}

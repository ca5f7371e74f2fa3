internal import SluiceCore
internal import SluiceUI

/// One key of the configuration file that stands for an option, under the option's name.
struct ConfigurationKey: Sendable {
    let name: String
    /// What it can be, as the end of a sentence.
    let allowed: String
    /// Takes a value; false if it is not allowed.
    let take: @Sendable (inout Configuration.Defaults, TOMLNode) -> Bool

    /// Sections; each is read by whoever it is for.
    static let sections = ["headers", "keys", "themes", "trust"]

    static let all: [ConfigurationKey] = [
        text("dir", "the path of a directory", \.dir),
        flag("noSave", \.noSave),
        flag("sync", \.sync),
        text("log", "the path of a file", \.log),
        text("userAgent", "a text without control characters", \.userAgent),
        text("onActivity", "a command for /bin/sh", \.onActivity),
        ConfigurationKey(name: "proxy", allowed: "a proxy such as \"socks5h://host:1080\"") { defaults, node in
            guard let text = node.string, !text.isEmpty, (try? ProxyServer(text)) != nil else { return false }
            defaults.proxy = text
            return true
        },
        // Read with the other certificates.
        ConfigurationKey(name: "proxyCacert", allowed: "the path of a PEM or DER file") { _, node in
            node.string?.isEmpty == false
        },
        flag("netrc", \.netrc),
        flag("noCookies", \.noCookies),
        flag("allowDowngrade", \.allowDowngrade),
        flag("ascii", \.ascii),
        text("theme", "the name of a theme", \.theme),
        flag("plain", \.plain),
        ConfigurationKey(name: "ipVersion", allowed: "4 or 6") { defaults, node in
            guard let version = node.integer, version == 4 || version == 6 else { return false }
            defaults.ipVersion = version
            return true
        },
        ConfigurationKey(name: "color", allowed: "\"auto\", \"always\" or \"never\"") { defaults, node in
            guard let color = node.string.flatMap(ColorOption.Choice.init) else { return false }
            defaults.color = color
            return true
        },
    ]

    private typealias Path<Value> = any WritableKeyPath<Configuration.Defaults, Value?> & Sendable

    private static func text(_ name: String, _ allowed: String, _ path: Path<String>) -> ConfigurationKey {
        ConfigurationKey(name: name, allowed: allowed) { defaults, node in
            guard let text = node.string, !text.isEmpty, text == text.withVisibleControls else { return false }
            defaults[keyPath: path] = text
            return true
        }
    }

    private static func flag(_ name: String, _ path: Path<Bool>) -> ConfigurationKey {
        ConfigurationKey(name: name, allowed: "true or false") { defaults, node in
            guard let flag = node.boolean else { return false }
            defaults[keyPath: path] = flag
            return true
        }
    }
}

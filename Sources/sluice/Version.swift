/// Sluice's version, as `--version`, events and `User-Agent` say it.
enum Version {
    static let current = "0.1.0"
}

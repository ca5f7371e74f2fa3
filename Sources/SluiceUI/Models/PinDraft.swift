/// Pins that are about to be kept, as they would stand in the configuration file.
///
/// Shown before anything is written; what is written is exactly this.
public struct PinDraft: Equatable, Sendable {
    /// As a pattern is written: `site.example`, or with `:port`.
    public let host: String
    /// `sha256/…`, the key in use first.
    public let pins: [String]
    /// As people write its path; `nil` keeps the pins for this session only.
    public var file: String?
    /// What is added to the file.
    public var lines: [String] = []
    /// The file as it was, so that nobody else's change is lost.
    public var before: [UInt8] = []
    /// Why the pins would not be enough, as far as the screen knows.
    var warning: PinWarning?

    /// - Parameters:
    ///   - host: As a pattern is written.
    ///   - pins: `sha256/…`, the key in use first.
    public init(host: String, pins: [String]) { (self.host, self.pins) = (host, pins) }
}

internal import SluiceCore

/// The origin of `sluice demo`: pictures of every kind, and the troubles of real servers, on loopback.
///
/// Starts at once, because a picture is drawn when it is first asked for. Bodies go out
/// slowly enough to be watched, 1 to 15 seconds each.
public final class DemoOrigin: Sendable {
    /// All that it serves; anything else is a 404.
    public let resources: [DemoResource]
    /// For its log, gates and address.
    public let origin: Origin
    /// Without a slash at the end.
    public var baseURL: String { origin.baseURL }

    private static let lastModified = "Sat, 01 Nov 2025 06:00:00 GMT"

    /// - Parameters:
    ///   - port: 0 takes any free one.
    ///   - speed: 1 is meant for people; 10 is ten times as fast; 0 means no delays at all.
    /// - Throws: ``OriginError`` if the port is taken, or the process out of descriptors or threads.
    public init(port: UInt16 = 0, speed: Double = 1) throws(OriginError) {
        origin = try Origin(port: port)
        var script = DemoScript(origin: origin, speed: speed, lastModified: Self.lastModified)
        script.addPictures()
        script.addFiles()
        script.addTroubles()
        resources = script.resources
    }

    /// Ends every connection and thread; once is enough.
    public func close() { origin.close() }
}

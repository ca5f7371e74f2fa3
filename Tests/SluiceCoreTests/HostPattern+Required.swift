import SluiceCore
import Testing

/// A pattern that the test knows to be one.
func hostPattern(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> HostPattern {
    try #require(HostPattern(text), sourceLocation: location)
}

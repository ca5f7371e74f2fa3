/// What a sink says to a chunk.
public enum BodyFlow: Sendable {
    /// Taken.
    case taken
    /// Not taken: stop reading, and deliver the same bytes again after ``HTTPTransport/resumeReading(_:)``.
    case pause
    /// Taken, and the rest is not wanted: the transport reads on for as long as that is worth a connection, and ends the
    /// transfer then as if all had come. Said again of each chunk that follows.
    case enough
}

/// Takes one transfer's body, chunk by chunk, so that no body need be whole in memory.
///
/// Confined to the loop's thread, like the transport that calls it.
public protocol BodySink: AnyObject {
    /// Judges the head of the final answer before its body. Called exactly once if an answer came.
    ///
    /// - Throws: Why this answer is not wanted; the transfer ends with it.
    func begin(_ head: ResponseHead) throws(DownloadError)
    /// Takes the next decoded bytes, which are gone when this returns.
    ///
    /// - Parameters:
    ///   - chunk: At least one byte.
    ///   - received: Bytes of the body as sent so far, before decoding.
    /// - Returns: Whether they were taken.
    /// - Throws: Why this body is not wanted; the transfer ends with it.
    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow
}

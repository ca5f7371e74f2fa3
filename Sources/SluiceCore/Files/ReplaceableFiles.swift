/// The files that a new body may replace: earlier complete bodies of its URL; in any folder.
public struct ReplaceableFiles: Equatable, Sendable {
    /// Of the same request.
    public var own: [SavedFile]
    /// Of earlier sessions, which asked for the URL in another way; only where no file of ``own`` is there.
    public var inherited: [SavedFile]

    /// - Parameters:
    ///   - own: Of the same request, the newest first.
    ///   - inherited: Of others.
    public init(own: [SavedFile] = [], inherited: [SavedFile] = []) { (self.own, self.inherited) = (own, inherited) }

    /// Both, own ones first.
    public var all: [SavedFile] { inherited.isEmpty ? own : own + inherited }

    /// Whether there are none.
    public var isEmpty: Bool { own.isEmpty && inherited.isEmpty }
}

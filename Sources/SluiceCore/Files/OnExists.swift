/// What to do about a file of the wanted name that is not known to be this URL's body.
public enum OnExists: String, CaseIterable, Sendable {
    /// `name.1.ext`, `.2` …
    case rename
    /// The request ends without a file; what is there stays.
    case skip
    /// The new file takes its place, in one step, when it is complete.
    case overwrite
}

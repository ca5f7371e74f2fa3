/// What a look at a list file told, while its name was typed.
public enum ListLook: Equatable, Sendable {
    /// How many of its lines are URLs and how many are not; `isWhole` if it was read to its end.
    case lines(urls: Int, others: Int, isWhole: Bool)
    /// Why it could not be read now, in a few words: it may be half typed.
    case trouble(String)
    /// It is no plain file: who looks into a pipe takes what it holds.
    case unknown
}

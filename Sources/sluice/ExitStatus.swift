/// How the program ends; thrown to end it.
struct ExitStatus: Error, Equatable {
    let rawValue: Int32

    static let success = ExitStatus(rawValue: 0)
    /// Some requests failed, or a list ended early.
    static let failures = ExitStatus(rawValue: 1)
    /// Unknown options, bad values, no input, an unreadable list: nothing was downloaded.
    static let usage = ExitStatus(rawValue: 2)
    /// Ended with unfinished work: by a signal, by a program's `quit`, or since all that was left was paused.
    static let stopped = ExitStatus(rawValue: 7)
    static let diskFull = ExitStatus(rawValue: 9)
}

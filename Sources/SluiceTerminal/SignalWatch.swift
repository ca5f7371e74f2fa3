internal import CLinux

/// The signals that ask the process to end, as something to poll.
///
/// The first SIGINT, SIGTERM or SIGHUP, or another that would end it, is only noted, so that work can be saved; a
/// second one ends the process at once with status 128 + n, the terminal restored; so does the first
/// one after a second where the terminal takes nothing, and the screen can't hear of it. What comes within
/// 50 ms of the first is no second one: `timeout` sends each signal twice. One
/// SIGHUP is forgiven: shell and kernel both report a lost terminal. SIGPIPE is ignored. A SIGHUP that was
/// ignored at start-up (`nohup`) stays ignored.
/// Works without a terminal; a ``CursesScreen`` adds the signals that only matter to it.
///
/// At most one exists at a time. Everything is put back when it goes.
public final class SignalWatch: Sendable {
    /// Readable while a signal came that nobody took; for `poll(2)`.
    public let descriptor: Int32

    /// Signals that came since they were last taken.
    struct Arrivals: OptionSet {
        let rawValue: UInt32
        static let end = Arrivals(rawValue: UInt32(SLUICE_CAME_END))
        static let resize = Arrivals(rawValue: UInt32(SLUICE_CAME_RESIZE))
        static let stop = Arrivals(rawValue: UInt32(SLUICE_CAME_STOP))
        static let resume = Arrivals(rawValue: UInt32(SLUICE_CAME_CONTINUE))
    }

    /// - Precondition: There is no other watch.
    public init() {
        descriptor = sluice_signals_start()
        precondition(descriptor >= 0, "a signal watch exists already, or there is no descriptor left at start-up")
    }

    deinit { sluice_signals_stop() }

    /// The first signal of SIGINT, SIGTERM and SIGHUP that came, or `nil`; stays once there is one.
    public var ending: Int32? {
        let number = sluice_signals_ending()
        return number == 0 ? nil : number
    }

    /// Empties the descriptor; for shells that wait for ``ending`` only.
    public func acknowledge() { _ = take() }

    /// Takes what came, and empties the descriptor.
    func take() -> Arrivals { Arrivals(rawValue: sluice_signals_take()) }
}

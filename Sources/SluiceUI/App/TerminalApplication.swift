public import SluiceCore

/// What a terminal loop drives: takes events, gives effects and frames.
///
/// Pure; the dashboard is one.
public protocol TerminalApplication {
    /// Takes one event at a time; never draws.
    mutating func handle(_ event: AppEvent, now: Timestamp) -> [AppEffect]
    /// When the next frame is due: `nil` if nothing changed, a time that has passed for at once.
    func frameDue(now: Timestamp) -> Timestamp?
    /// Draws all; what did not change is found by the screen.
    mutating func frame(width: Int, height: Int, now: Timestamp) -> Frame
    /// When an ``AppEvent/wake`` is wanted even if nothing happens, or `nil`: then nothing runs at all.
    func nextWake(after now: Timestamp) -> Timestamp?
}

/// What a colour is for; which colour that is, only ``Theme`` knows.
enum Role: UInt8, CaseIterable, Sendable {
    case fg
    /// What the eye should land on: figures, titles.
    case bright
    /// Units, labels, hosts, reasons.
    case dim
    /// Lines, never text.
    case frame
    /// The empty part of bars, never text.
    case track
    /// The focused frame and row, the ACTIVE pill.
    case focus
    /// Keys, panel digits, the prompt, hits.
    case accent
    case ok
    case run
    case wait
    case bad
    case merge
    case purge
    /// The ground of a selected row.
    case select
    /// Text on a pill, a flash or a banner.
    case ink
}

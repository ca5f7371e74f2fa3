internal import SluiceCore

/// A part of a task's time, in the order in which they follow each other.
enum TaskPhase: Int, CaseIterable, Sendable {
    case queued
    case dns
    case connect
    case tls
    case firstByte
    case body
    case decode
    case save

    var label: String { self == .firstByte ? "first byte" : "\(self)" }
}

extension TaskEnd.Timings {
    /// How long one phase took; `nil` if it did not happen.
    func duration(of phase: TaskPhase) -> Duration? {
        func since(_ earlier: Duration?..., until moment: Duration?) -> Duration? {
            moment.map { max(.zero, $0 - (earlier.compactMap(\.self).max() ?? .zero)) }
        }
        return switch phase {
        case .queued: queued
        case .dns: transfer.dns
        case .connect: since(transfer.dns, until: transfer.connect)
        case .tls: since(transfer.dns, transfer.connect, until: transfer.tls)
        case .firstByte: since(transfer.dns, transfer.connect, transfer.tls, until: transfer.firstByte)
        case .body: transfer.firstByte.flatMap { since($0, until: transfer.total) }
        case .decode: decode
        case .save: save
        }
    }
}

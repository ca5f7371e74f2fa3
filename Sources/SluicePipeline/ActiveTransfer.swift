internal import SluiceCore

/// What the pipeline knows of one task that holds a slot.
///
/// A class, since it is looked at many times a transfer and a copy would retain every
/// string of the answer's head. Confined to the pipeline's turn.
final class ActiveTransfer {
    enum Step {
        /// Bytes arrive.
        case receiving
        /// The network is done; the writer thread is not.
        case writing
        case decoding
        /// Aborted or paused: nothing of it counts any more.
        case abandoned
    }

    let task: TaskID
    let body: TransferBody
    let started: Timestamp
    var step = Step.receiving
    var head: ResponseHead?
    /// Set when the transport let go.
    var end: EndedTransfer?
    var meter = TransferMeter()
    /// A receipt that wants a file joined after the transfer began without one.
    var mustFetchAgain = false
    var reported: (received: Int, at: Timestamp)?

    init(task: TaskID, body: TransferBody, started: Timestamp) {
        (self.task, self.body, self.started) = (task, body, started)
    }

    func joined(saves: Bool) {
        if saves, !body.wishes.saves { mustFetchAgain = true }
    }
}

/// One thing that is to be kept, or forgotten.
///
/// Indirect: there may be hundreds of thousands at once, and the largest is many times as large as the usual one.
public indirect enum StateChange: Sendable {
    case part(PartRecord)
    /// The part became a file, or is of no use any more.
    case noPart(PartLocation)
    /// A file is the complete body of a key.
    case file(KnownFile)
    /// A task is new, or stands elsewhere.
    case task(TaskRecord)
    /// A receipt is new.
    case request(RequestRecord)
    /// A request of an earlier session needs no task any more.
    case restoredEnded(RestoredRequest.Row)
    case receiptEnded(TaskID, ReceiptID)
    case taskEnded(TaskID)
    case failed(FailedRecord)
    /// The key as text.
    case notFailed(String)
}

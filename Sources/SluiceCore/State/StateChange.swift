/// One thing that is to be kept, or forgotten.
///
/// Indirect: there may be hundreds of thousands at once, and the largest is many times as large as the usual one.
public indirect enum StateChange: Sendable {
    /// A part can be continued, or has more bytes.
    case part(PartRecord)
    /// The part became a file, or is of no use any more.
    case noPart(PartLocation)
    /// A file is the complete body of a key.
    case file(KnownFile)
    /// The path of a known file has the body of another key now.
    case noFile(KnownFile)
    /// A task is new, or stands elsewhere.
    case task(TaskRecord)
    /// A receipt is new.
    case request(RequestRecord)
    /// A request of an earlier session needs no task any more.
    case restoredEnded(RestoredRequest.Row)
    /// A receipt has its outcome; its request needs not be asked again.
    case receiptEnded(TaskID, ReceiptID)
    /// A task is over, with all of its receipts.
    case taskEnded(TaskID)
    /// A task of an earlier session goes on under the rules of trust of this one: with the merge key as text that it
    /// has now, and the mark of the policy.
    case trusted(TaskID, key: String, trust: String)
    /// A task has another limit of its own, in bytes a second; 0 for none.
    case rate(TaskID, Int)
    /// The user suspended the queue, or let it go on.
    case suspended(Bool)
    /// A key is on the failed list.
    case failed(FailedRecord)
    /// The key as text.
    case notFailed(String)
}

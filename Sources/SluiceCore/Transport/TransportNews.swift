/// What a transport has to tell.
public enum TransportNews: Sendable {
    /// A host was trusted or refused, in a handshake or before it; before what it answered.
    case trust(TransferID, TrustDecision, TrustChain?)
    /// The final head arrived, and the sink has accepted it. At most once a transfer, before its end.
    ///
    /// May be left out: then the head is told of when the transfer ends.
    case response(TransferID)
    /// Exactly once a transfer.
    case ended(EndedTransfer)
}

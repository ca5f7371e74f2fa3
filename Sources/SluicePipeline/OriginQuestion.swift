internal import SluiceCore

/// What a task asks the origin about what is stored.
struct OriginQuestion {
    /// What the request is conditional on.
    var validating: StoredResponse?
    /// What may answer if the origin can't.
    var fallback: StoredResponse?
    /// The fields that say so.
    var conditions: [HeaderField] = []
}

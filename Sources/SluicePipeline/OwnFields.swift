internal import SluiceCore

/// What is said of every request, if the user says nothing else.
///
/// Remembers what it said last, as transfers that share their fields share the work of sending them too.
struct OwnFields {
    private var last: (policy: CachePolicy, types: Settings.AcceptOnly, fields: [HeaderField])?

    /// - Parameters:
    ///   - policy: Of the request.
    ///   - types: What is taken for an answer.
    ///   - agent: Never changes.
    /// - Returns: The fields, in the order in which they are sent.
    mutating func value(_ policy: CachePolicy, _ types: Settings.AcceptOnly, _ agent: String) -> [HeaderField] {
        if let last, last.policy == policy, last.types == types { return last.fields }
        let accepted = types == .image ? "image/avif,image/webp,image/*;q=0.8" : "*/*"
        var fields = [HeaderField("User-Agent", agent), HeaderField("Accept", accepted)]
        switch policy {
        case .reload: fields.append(HeaderField("Cache-Control", "no-cache"))
        case .revalidate: fields.append(HeaderField("Cache-Control", "max-age=0"))
        default: break
        }
        last = (policy, types, fields)
        return fields
    }
}

/// Policies of trust, in the words of a `[[trust]]` section.
extension ControlEncoder {
    /// Every policy that was named, that of all hosts first.
    func append(_ book: TrustBook, to json: inout JSONWriter) {
        json.beginArray()
        for entry in [TrustBook.Entry(.all, book.fallback)] + book.entries {
            json.beginObject()
            json.field("host", entry.pattern.text)
            appendFields(of: entry.policy, to: &json)
            json.endObject()
        }
        json.endArray()
    }

    /// What a change came to.
    func append(from: TrustPolicy?, to: TrustPolicy?, to json: inout JSONWriter) {
        for (name, policy) in [("from", from), ("to", to)] {
            json.key(name)
            guard let policy else {
                json.null()
                continue
            }
            json.beginObject()
            appendFields(of: policy, to: &json)
            json.endObject()
        }
    }

    private func appendFields(of policy: TrustPolicy, to json: inout JSONWriter) {
        json.field("pinning", word: policy.pinning.rawValue)
        json.key("pins")
        json.beginArray()
        for pin in policy.pins {
            switch pin {
            case .key(let hash): json.string(TrustPin.text(sha256: hash))
            case .certificate(let certificate): json.string(certificate.place)
            }
        }
        json.endArray()
        json.field("allowInvalid", policy.allowInvalid)
        json.field("validatesDomain", policy.validatesDomain)
        if let authorities = policy.authorities { json.field("cacert", authorities.path) }
        if let client = policy.client { json.field("cert", client.chain.path) }
    }
}

import SluiceCore

extension [PipelineEvent.Kind] {
    /// The lines of a stream of them, a millisecond apart, which all say the same to a person.
    var lines: [String] {
        let encoder = EventEncoder(start: .zero) { _, _ in "so" }
        var bytes: [UInt8] = []
        for (index, kind) in enumerated() {
            encoder.append(PipelineEvent(seq: index + 1, t: .milliseconds(index), kind: kind), to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

internal import SluiceCore

/// The parts that can be continued, by merge key as text.
///
/// A class, so that a body whose file is made later knows of the parts that were kept meanwhile. Confined to the
/// pipeline's turn.
final class PartRecords {
    private var records: [String: PartRecord] = [:]
    private var locations: Set<PartLocation> = []

    var isEmpty: Bool { records.isEmpty }
    var all: some Collection<PartRecord> { records.values }

    subscript(key: String) -> PartRecord? {
        get { records.isEmpty ? nil : records[key] }
        set {
            if let old = records[key] { locations.remove(old.location) }
            records[key] = newValue
            if let newValue { locations.insert(newValue.location) }
        }
    }

    func removeAll() { (records, locations) = ([:], []) }

    /// Where the parts of all other keys are.
    func locations(without key: String) -> Set<PartLocation> {
        guard let own = self[key] else { return locations }
        return locations.subtracting([own.location])
    }
}

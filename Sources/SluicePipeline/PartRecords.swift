internal import SluiceCore

/// The parts that can be continued, by merge key as text.
///
/// A class, so that a body whose file is made later knows of the parts that were kept meanwhile. Confined to the
/// pipeline's turn.
final class PartRecords {
    private var records: [String: PartRecord] = [:]
    private var locations: Set<PartLocation> = []
    /// The tasks of this session that left a part here.
    private var owners: [String: TaskID] = [:]

    var isEmpty: Bool { records.isEmpty }
    var all: some Collection<PartRecord> { records.values }

    subscript(key: String) -> PartRecord? {
        get { records.isEmpty ? nil : records[key] }
        set {
            if let old = records[key] { locations.remove(old.location) }
            records[key] = newValue
            if let newValue { locations.insert(newValue.location) } else { owners[key] = nil }
        }
    }

    /// Takes the part that a task left.
    func add(_ record: PartRecord, of task: TaskID) {
        self[record.key] = record
        owners[record.key] = task
    }

    /// Whether a task left the part of a key itself, in whatever place that is.
    func isOwn(_ key: String, of task: TaskID) -> Bool { owners[key] == task }

    func removeAll() { (records, locations, owners) = ([:], [], [:]) }

    /// Where the parts of all other keys are.
    func locations(without key: String) -> Set<PartLocation> {
        guard let own = self[key] else { return locations }
        return locations.subtracting([own.location])
    }
}

internal import SluiceCore

/// The parts that can be continued, by merge key as text.
///
/// A class, so that a body whose file is made later knows of the parts that were kept meanwhile. Confined to the
/// pipeline's turn.
final class PartRecords {
    private var records: [String: PartRecord] = [:]
    private var locations: Set<PartLocation> = []
    /// Those of which another part of the same key took the place.
    private var displaced: [PartLocation: PartRecord] = [:]
    /// The tasks of this session that left a part here.
    private var owners: [String: TaskID] = [:]
    /// The fields of the heads with which they began, by key, as far as this session saw them.
    private var heads: [String: [HeaderField]] = [:]

    var isEmpty: Bool { records.isEmpty }
    /// Also those that are not continued, since a later one of their key is.
    var all: [PartRecord] { Array(records.values) + displaced.values }

    subscript(key: String) -> PartRecord? {
        get { records.isEmpty ? nil : records[key] }
        set {
            if let old = records[key] {
                locations.remove(old.location)
                if newValue != nil { displaced[old.location] = old }
            }
            records[key] = newValue
            if let newValue {
                locations.insert(newValue.location)
                displaced[newValue.location] = nil
            } else {
                (owners[key], heads[key]) = (nil, nil)
            }
        }
    }

    /// Takes the part that a task left.
    ///
    /// - Parameters:
    ///   - record: Which part it is, and of what.
    ///   - task: Who left it.
    ///   - head: The fields of the head with which it began; `nil` where that is not known.
    func add(_ record: PartRecord, of task: TaskID, head: [HeaderField]?) {
        self[record.key] = record
        (owners[record.key], heads[record.key]) = (task, head)
    }

    /// The fields of the head with which the part of a key began; `nil` where an earlier session saw it.
    func head(_ key: String) -> [HeaderField]? { heads[key] }

    /// Whether a task left the part of a key itself, in whatever place that is.
    func isOwn(_ key: String, of task: TaskID) -> Bool { owners[key] == task }

    func removeAll() { (records, displaced, locations, owners, heads) = ([:], [:], [], [:], [:]) }

    /// Where the parts of all other keys are.
    func locations(without key: String) -> Set<PartLocation> {
        guard let own = self[key] else { return locations }
        return locations.subtracting([own.location])
    }
}

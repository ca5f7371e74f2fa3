import CLinux
import Glibc
public import SluiceCore
import SluiceSystem

/// The bodies of what is stored: in memory, on their way to the disk, or there.
extension ResponseStore {
    /// The bytes, if they wait for the disk or are among the hottest; else the file, not looked at yet.
    public func body(of response: StoredResponse) -> ResponseBodyPlace {
        if let addition = pending[response.id]?.addition {
            switch addition.body {
            case .bytes(let bytes): return .bytes(bytes)
            case .file(let file):
                switch addition.place {
                case .loose: return .file(file)
                case .linked, .reserved:
                    let path = folder.bodyPath(response.id.rawValue)
                    return .file(SavedFile(path: path, size: file.size, modified: file.modified))
                case .open(let descriptor):
                    // Deleted it is as it was; written over it is not.
                    let isSame = FileStatus(descriptor)?.isSame(as: file) == true
                    return isSame ? .descriptor(descriptor) : .file(file)
                }
            case .descriptor(let descriptor, _): return .descriptor(descriptor)
            }
        }
        let now = Timestamp(nanoseconds: clock() * 1_000_000)
        if let hit = hot.hit(CacheKey(key: "\(response.id.rawValue)"), now: now) { return .bytes(hit.value) }
        return .file(
            SavedFile(path: folder.bodyPath(response.id.rawValue), size: response.size, modified: time(of: response.id))
        )
    }

    /// When a body that is on disk was last modified.
    ///
    /// Not always known from the lookup: the body may have been on its way to the disk then.
    private func time(of id: ResponseID) -> Int64 {
        if let time = modified[id] { return time }
        do throws(DatabaseError) {
            return try index.modified(id) ?? 0
        } catch {
            // A body of no known time counts as changed, and is fetched again.
            return 0
        }
    }

    /// Bodies above a quarter of that memory are not kept: one would push out all others.
    public func keepInMemory(_ bytes: [UInt8], of response: StoredResponse, now: Timestamp) {
        guard hot.capacity == 0 || bytes.count <= hot.capacity / 4 else { return }
        let key = CacheKey(key: "\(response.id.rawValue)")
        if hot.peek(key) == nil { _ = hot.add(bytes, for: key, cost: bytes.count, now: now) }
    }

    /// Whether there is room for a body before the writer makes some.
    func hasRoom(for byteCount: Int) -> Bool {
        capacity == 0 || figures.usage + byteCount <= capacity - ResponseBatch.margin
    }

    /// Sees to it that the bytes of a file are there when the writer comes to them.
    func place(of body: ResponseBody, _ id: ResponseID) -> ResponseAddition.Place {
        guard case .file(let saved) = body else { return .loose }
        if hasRoom(for: saved.size), id.rawValue < writer.announced, folder.link(saved, as: id.rawValue) {
            return .linked
        }
        guard pending.jobs < Self.mostOpen, let descriptor = folder.open(saved) else { return .loose }
        return .open(descriptor)
    }
}

import Glibc

/// What is in a folder.
package enum FolderListing {
    /// The names in it.
    ///
    /// - Parameters:
    ///   - path: Of the folder.
    ///   - limit: How many at most; `1...`
    /// - Returns: In no order, without `.` and `..`; none if it can't be read.
    package static func names(in path: String, atMost limit: Int = .max) -> [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

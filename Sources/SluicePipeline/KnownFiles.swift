internal import SluiceCore

/// The files that Sluice knows as complete bodies of a key, so that it may replace them, and answer with them.
///
/// A path is the body of who saved there last. A file counts as long as its path, size and time are what they were, and
/// in the session that saved it as long as it is the same file, which is for others to see.
/// Several files may be known for one key, each at a path of its own: copies, and what was saved for other destinations.
/// Confined to the pipeline's thread.
struct KnownFiles {
    /// The newest of this session, the stored answer that has its bytes, where there is one, and whether a history is kept
    /// that has it too.
    private var ofSession: [MergeKey: (file: SavedFile, response: ResponseID?, isKept: Bool)] = [:]
    /// The newest that only a history has, by key as text: of earlier sessions, or gone from this one.
    private var ofHistory: [String: SavedFile] = [:]
    /// All but the newest of a key, by key as text; rarely is there one.
    private var others: [String: [SavedFile]] = [:]

    /// Keys, as text, of which a newer body is in memory than in any file.
    private var outdated: Set<String> = []
    /// Whose body each path has, by key as text.
    ///
    /// That of who saved there last: a path has one owner, whatever size and time say.
    private var owners: [String: Owner] = [:]

    /// Who saved a file.
    private struct Owner {
        /// The key as text.
        let text: String
        /// Of this session; `nil` for what only the history knows.
        let key: MergeKey?
    }

    /// The newest file of a key.
    subscript(key: MergeKey) -> SavedFile? {
        ofSession.isEmpty && ofHistory.isEmpty ? nil : ofSession[key]?.file ?? ofHistory[key.text]
    }

    /// The newest file of a key that this session saved.
    func savedNow(_ key: MergeKey) -> SavedFile? { ofSession[key]?.file }

    /// The newest file of a key, if this session saved it with the bytes of a stored answer.
    func saved(_ key: MergeKey, from response: ResponseID) -> SavedFile? {
        ofSession[key].flatMap { $0.response == response ? $0.file : nil }
    }

    /// The newest file of a key has the bytes of a stored answer.
    mutating func note(_ key: MergeKey, from response: ResponseID) { ofSession[key]?.response = response }

    /// A body of a key came that is in no file.
    mutating func outdate(_ key: MergeKey) {
        if self[key] != nil { outdated.insert(key.text) }
    }

    /// A file that this session saved for a URL, whatever else the key of its request says.
    ///
    /// Linear in the files of the session, so for what a user asks for.
    func savedNow(_ url: String) -> SavedFile? { ofSession.first { $0.key.url == url }?.value.file }

    /// All files of a key, the newest first.
    func all(_ key: MergeKey) -> [SavedFile] {
        guard let newest = self[key] else { return [] }
        if others.isEmpty { return [newest] }
        return [newest] + (others[key.text] ?? [])
    }

    /// The files of a key that have the bytes of the newest, which comes first: a copy has its size and time.
    ///
    /// None if newer bytes came.
    func equals(_ key: MergeKey) -> [SavedFile] {
        if !outdated.isEmpty, outdated.contains(key.text) { return [] }
        let files = all(key)
        return files.filter { $0.size == files[0].size && $0.modified == files[0].modified }
    }

    /// The key of a file that this session saved.
    ///
    func key(ofPath path: String) -> (key: MergeKey, file: SavedFile)? {
        guard let key = owners[path]?.key,
            let file = all(key).first(where: { $0.path == path })
        else { return nil }
        return (key, file)
    }

    /// A file got its name: it is the newest of its key; where `isKept` is set, for later sessions too.
    ///
    /// - Returns: The key, as text, whose body that path had before, if that is another.
    mutating func insert(_ file: SavedFile, _ key: MergeKey, isKept: Bool) -> String? {
        let text = key.text
        let owner = claim(file.path, for: Owner(text: text, key: key))
        demote(self[key], for: file, text)
        ofSession[key] = (file, nil, isKept)
        if !outdated.isEmpty { outdated.remove(text) }
        if isKept, !ofHistory.isEmpty { ofHistory[text] = nil }
        return owner
    }

    /// A copy of the newest file got its name.
    ///
    /// - Returns: As ``insert(_:_:isKept:)`` does.
    mutating func insertCopy(_ file: SavedFile, _ key: MergeKey) -> String? {
        let text = key.text
        let owner = claim(file.path, for: Owner(text: text, key: key))
        others[text, default: []].removeAll { $0.path == file.path }
        others[text, default: []].append(file)
        return owner
    }

    /// Takes what an earlier session knew; to be called in the order in which it was saved.
    mutating func restore(_ known: KnownFile) {
        _ = claim(known.file.path, for: Owner(text: known.key, key: nil))
        demote(ofHistory[known.key], for: known.file, known.key)
        ofHistory[known.key] = known.file
    }

    /// A file is gone.
    mutating func remove(_ file: SavedFile, _ key: MergeKey) {
        if owners[file.path]?.text == key.text { owners[file.path] = nil }
        if let known = ofSession[key], known.file == file {
            ofSession[key] = nil
            if known.isKept { ofHistory[key.text] = file }
        }
        if !others.isEmpty { others[key.text]?.removeAll { $0 == file } }
    }

    /// The body at a path is that of a key from now on, and no other's.
    private mutating func claim(_ path: String, for new: Owner) -> String? {
        guard let old = owners.updateValue(new, forKey: path), old.text != new.text else { return nil }
        if !others.isEmpty { others[old.text]?.removeAll { $0.path == path } }
        let ofThis = old.key.flatMap { ofSession[$0]?.file }
        guard let lost = [ofThis, ofHistory[old.text]].compactMap(\.self).first(where: { $0.path == path }) else {
            return old.text
        }
        if let key = old.key, ofThis?.path == path { ofSession[key] = nil }
        if ofHistory[old.text]?.path == path { ofHistory[old.text] = nil }
        guard let left = others[old.text]?.popLast() else { return old.text }
        // What is left is a copy, or an older body, which must not pass for the newest.
        if left.size != lost.size || left.modified != lost.modified { outdated.insert(old.text) }
        if let key = old.key { ofSession[key] = (left, nil, false) } else { ofHistory[old.text] = left }
        return old.text
    }

    /// Makes room for a newer file of the same key.
    private mutating func demote(_ older: SavedFile?, for file: SavedFile, _ key: String) {
        if !others.isEmpty { others[key]?.removeAll { $0.path == file.path } }
        if let older, older.path != file.path { others[key, default: []].append(older) }
    }
}

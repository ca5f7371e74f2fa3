internal import SluiceCore

/// The files that Sluice knows as complete bodies of a key, so that it may replace them, and answer with them.
///
/// A path is the body of who saved there last. A file counts as long as its path, size and time are what they were, and
/// in the session that saved it as long as it is the same file, which is for others to see.
/// Several files may be known for one key, each at a path of its own: copies, and what was saved for other destinations.
/// What was saved longest ago is forgotten for what is saved beyond a limit: a session of weeks saves millions of files.
/// Confined to the pipeline's thread.
struct KnownFiles {
    /// The files of one key.
    private struct Record {
        /// The newest of this session.
        var ofSession: Newest?
        /// The newest that only a history has: of earlier sessions, or gone from this one.
        var ofHistory: SavedFile?
        /// All but the newest; rarely is there one.
        var others: [SavedFile] = []
        /// Whether a newer body is in memory than in any file.
        var isOutdated = false
        /// How often it stands among the latest saves, where a file was saved again.
        var saves: Int32 = 0

        var newest: SavedFile? { ofSession?.file ?? ofHistory }

        /// All paths that it may be the owner of.
        var paths: [String] { (others + [ofSession?.file, ofHistory].compactMap(\.self)).map(\.path) }

        /// The newest first.
        var all: [SavedFile] {
            guard let newest else { return [] }
            return others.isEmpty ? [newest] : [newest] + others
        }

        /// Takes a file that this session saved now.
        mutating func renew(_ saved: Newest) {
            demote(newest, for: saved.file)
            (ofSession, isOutdated) = (saved, false)
            if saved.isKept { ofHistory = nil }
        }

        /// Makes room for a newer file.
        mutating func demote(_ older: SavedFile?, for file: SavedFile) {
            if !others.isEmpty { others.removeAll { $0.isAt(file.path) } }
            if let older, !older.isAt(file.path) { others.append(older) }
        }
    }

    /// The newest file of a key, saved by this session.
    private struct Newest {
        let file: SavedFile
        let key: MergeKey
        /// The stored answer that has its bytes, where there is one.
        var response: ResponseID?
        /// Where that is an image.
        var image: ImageInfo?
        /// Whether a history is kept that has it too.
        let isKept: Bool
    }

    /// Who saved a file.
    private struct Owner {
        let text: MergeKey.Text
        /// Of this session; `nil` for what only the history knows.
        let key: MergeKey?

        /// As the history has it.
        var historyText: String { key?.historyText ?? text.string }
    }

    private var records: [MergeKey.Text: Record] = [:]
    /// The keys of earlier sessions that say more than their URL, by that.
    private var moreOfURL: [String: [MergeKey.Text]] = [:]
    /// Whose body each path has.
    ///
    /// That of who saved there last: a path has one owner, whatever size and time say.
    private var owners: [ExactText: Owner] = [:]
    /// Where requests of this session named the place themselves.
    private var named: Set<ExactText> = []
    /// What earlier sessions saved that nothing of another key replaces.
    private var kept: Set<ExactText> = []
    /// Whose bodies the newest saves were.
    private var latestSaves: RingBuffer<MergeKey.Text>

    /// - Parameter limit: Saves that are known at most. `1...`; each takes up to 1 kB.
    init(limit: Int = 250_000) { latestSaves = RingBuffer(limit: limit) }

    /// The newest file of a key.
    subscript(key: MergeKey) -> SavedFile? { record(key)?.newest }

    /// The newest file of a key that this session saved.
    func savedNow(_ key: MergeKey) -> SavedFile? { record(key)?.ofSession?.file }

    /// The newest file of a key, if this session saved it with the bytes of a stored answer.
    func saved(_ key: MergeKey, from response: ResponseID) -> SavedFile? {
        record(key)?.ofSession.flatMap { $0.response == response ? $0.file : nil }
    }

    /// What the newest file of a key is, if this session saved it with the bytes of a stored answer that is an image.
    func image(_ key: MergeKey, from response: ResponseID) -> ImageInfo? {
        record(key)?.ofSession.flatMap { $0.response == response ? $0.image : nil }
    }

    /// The newest file of a key has the bytes of a stored answer.
    mutating func note(_ key: MergeKey, from response: ResponseID, image: ImageInfo?) {
        guard let place = place(of: key) else { return }
        records.values[place].ofSession?.response = response
        records.values[place].ofSession?.image = image
    }

    /// A body of a key came that is in no file.
    mutating func outdate(_ key: MergeKey) {
        if let place = place(of: key), records.values[place].newest != nil { records.values[place].isOutdated = true }
    }

    /// A file that this session saved for a URL, whatever else the key of its request says.
    ///
    /// Linear in the files of the session, so for what a user asks for.
    func savedNow(_ url: String) -> SavedFile? {
        records.values.first { $0.ofSession?.key.url == url }?.ofSession?.file
    }

    /// All files of a key, the newest first.
    func all(_ key: MergeKey) -> [SavedFile] { record(key)?.all ?? [] }

    /// All files that may be replaced as bodies of a URL: those of the key, and what earlier sessions saved for others.
    ///
    /// What this session saved for another key of the URL stays, as does what was saved of a queue that goes on: whoever
    /// asked for both wants both.
    func replaceable(_ key: MergeKey) -> ReplaceableFiles {
        var files = ReplaceableFiles(own: all(key))
        let isURL = key.text == key.url
        if moreOfURL.isEmpty, isURL { return files }
        for text in (moreOfURL[key.url] ?? []) + (isURL ? [] : [MergeKey.Text(key.url)]) {
            guard let record = records[text] else { continue }
            let earlier = [record.ofHistory].compactMap(\.self) + record.others
            files.inherited += earlier.filter { file in
                let path = ExactText(file.path)
                return owners[path].map { $0.key == nil && $0.text == text } == true && !kept.contains(path)
                    && !files.all.contains { $0.isAt(file.path) }
            }
        }
        return files
    }

    /// A request of an earlier session goes on: what was saved of its URL in other ways stays beside it.
    mutating func keepOthers(than key: MergeKey) {
        for file in replaceable(key).inherited { kept.insert(ExactText(file.path)) }
    }

    /// The files of a key that have the bytes of the newest, which comes first: a copy has its size and time.
    ///
    /// None if newer bytes came.
    func equals(_ key: MergeKey) -> [SavedFile] {
        guard let record = record(key), !record.isOutdated, let newest = record.newest else { return [] }
        return [newest] + record.others.filter { $0.size == newest.size && $0.modified == newest.modified }
    }

    /// Whether a request of this session named the place of a file, which is none for those that name none.
    func isNamed(_ path: String) -> Bool { !named.isEmpty && named.contains(ExactText(path)) }

    /// The key of a file that this session saved.
    func key(ofPath path: String) -> (key: MergeKey, file: SavedFile)? {
        guard let owner = owners[ExactText(path)], let key = owner.key,
            let file = all(key).first(where: { $0.isAt(path) })
        else { return nil }
        return (key, file)
    }

    /// A file got its usual name, or where `isNamed` is set one that a request gave it: it is the newest of its key, and
    /// where `isKept` is set for later sessions too.
    ///
    /// - Returns: The key, as the history has it, whose body that path had before, if that is another.
    mutating func insert(_ file: SavedFile, _ key: MergeKey, isNamed: Bool, isKept: Bool) -> String? {
        note(file, isNamed: isNamed)
        let text = key.indexedText
        let owner = claim(file.path, for: Owner(text: text, key: key))
        let saved = Newest(file: file, key: key, isKept: isKept)
        if let place = place(of: key) {
            records.values[place].renew(saved)
        } else {
            // Of another key of the same text nothing is left.
            records[text] = Record(ofSession: saved, saves: records[text]?.saves ?? 0)
        }
        count(text)
        return owner
    }

    /// A copy of the newest file got its name.
    ///
    /// - Returns: As ``insert(_:_:isNamed:isKept:)`` does.
    mutating func insertCopy(_ file: SavedFile, _ key: MergeKey, isNamed: Bool) -> String? {
        note(file, isNamed: isNamed)
        let owner = claim(file.path, for: Owner(text: key.indexedText, key: key))
        var record = record(key) ?? Record(saves: records[key.indexedText]?.saves ?? 0)
        record.others.removeAll { $0.isAt(file.path) }
        record.others.append(file)
        records[key.indexedText] = record
        count(key.indexedText)
        return owner
    }

    /// Takes what earlier sessions knew, in the order in which it was saved.
    mutating func restore(_ files: [KnownFile]) {
        records.reserveCapacity(records.count + files.count)
        owners.reserveCapacity(owners.count + files.count)
        for known in files {
            let text = MergeKey.Text(known.key)
            _ = claim(known.file.path, for: Owner(text: text, key: nil))
            if let url = text.urlOfMore, moreOfURL[url]?.contains(text) != true {
                moreOfURL[url, default: []].append(text)
            }
            var record = records[text] ?? Record()
            record.demote(record.ofHistory, for: known.file)
            record.ofHistory = known.file
            records[text] = record
            count(text)
        }
    }

    /// A file is gone.
    mutating func remove(_ file: SavedFile, _ key: MergeKey) {
        let text = key.indexedText
        if owners[ExactText(file.path)]?.text == text {
            owners[ExactText(file.path)] = nil
            named.remove(ExactText(file.path))
        }
        guard var record = record(key) else { return }
        if let known = record.ofSession, known.file == file {
            record.ofSession = nil
            if known.isKept { record.ofHistory = file }
        }
        record.others.removeAll { $0 == file }
        records[text] = record
    }

    /// Counts the newest save, and forgets the oldest one if there are too many.
    private mutating func count(_ text: MergeKey.Text) {
        let oldest = latestSaves.count == latestSaves.limit ? latestSaves.first : nil
        latestSaves.append(text)
        if let place = records.index(forKey: text) { records.values[place].saves += 1 }
        if let oldest { forgetSave(oldest) }
    }

    private mutating func forgetSave(_ text: MergeKey.Text) {
        guard let place = records.index(forKey: text) else { return }
        records.values[place].saves -= 1
        if records.values[place].saves > 0 { return }
        for path in records.remove(at: place).value.paths where owners[ExactText(path)]?.text == text {
            owners[ExactText(path)] = nil
            named.remove(ExactText(path))
        }
        guard let url = text.urlOfMore else { return }
        moreOfURL[url]?.removeAll { $0 == text }
        if moreOfURL[url]?.isEmpty == true { moreOfURL[url] = nil }
    }

    private mutating func note(_ file: SavedFile, isNamed: Bool) {
        if isNamed { named.insert(ExactText(file.path)) } else if !named.isEmpty { named.remove(ExactText(file.path)) }
    }

    /// What is known of a key.
    private func record(_ key: MergeKey) -> Record? { place(of: key).map { records.values[$0] } }

    /// Where it stands; `nil` too if that is of another key of the same text, whose files are none of its business.
    private func place(of key: MergeKey) -> Dictionary<MergeKey.Text, Record>.Index? {
        guard !records.isEmpty, let place = records.index(forKey: key.indexedText) else { return nil }
        return records.values[place].ofSession.map { $0.key == key } ?? true ? place : nil
    }

    /// The body at a path is that of a key from now on, and no other's.
    private mutating func claim(_ path: String, for new: Owner) -> String? {
        guard let old = owners.updateValue(new, forKey: ExactText(path)), old.text != new.text else { return nil }
        guard var record = records[old.text] else { return old.historyText }
        record.others.removeAll { $0.isAt(path) }
        let ofThis = record.ofSession.flatMap { $0.key == old.key ? $0.file : nil }
        if let lost = [ofThis, record.ofHistory].compactMap(\.self).first(where: { $0.isAt(path) }) {
            if ofThis?.isAt(path) == true { record.ofSession = nil }
            if record.ofHistory?.isAt(path) == true { record.ofHistory = nil }
            if let left = record.others.popLast() {
                // What is left is a copy, or an older body, which must not pass for the newest.
                if left.size != lost.size || left.modified != lost.modified { record.isOutdated = true }
                if let key = old.key {
                    record.ofSession = Newest(file: left, key: key, isKept: false)
                } else {
                    record.ofHistory = left
                }
            }
        }
        records[old.text] = record
        return old.historyText
    }
}

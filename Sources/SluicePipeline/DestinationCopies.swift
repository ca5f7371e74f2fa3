internal import SluiceCore

/// The copies of one saved body, for receipts whose destination is not the one it was saved to.
///
/// One is made after the other, on a thread of the pool: however long that takes, it stops no transfer.
struct DestinationCopies {
    /// What goes on when all are made.
    enum Next {
        /// A task ends whose body the network brought.
        case transfer(TransferID, DecodedImage?)
        /// A task ends whose body the HTTP cache had.
        case answer(serial: Int, DecodedImage?)
        /// A task ends whose body was saved before, and that asked nobody.
        case earlierSave
    }

    /// Tells these copies from earlier ones of the same task.
    let serial: Int
    let source: SavedFile
    /// The destination that the source was saved for; `nil` is its usual name.
    let name: String?
    /// What the source is usually called, where that is known.
    let usualName: String?
    /// What destinations are relative to.
    let directory: String?
    let next: Next
    /// By destination.
    private(set) var made: [ExactText: SavedFile] = [:]
    /// Copies of a body that came before this one, by destination, until those of this one take their place.
    private var outdated: [ExactText: SavedFile] = [:]
    /// Paths where nothing stood before this task made a copy there, so that it may go again.
    private var ownPaths: Set<ExactText> = []
    /// Paths of copies that were there already with the same bytes.
    private(set) var unchanged: Set<ExactText> = []
    /// The destinations that got none, which a warning said.
    private(set) var refused: Set<ExactText> = []
    /// The files of the receipts, once all copies are made; none if all have the task's.
    private(set) var granted: [ReceiptID: String] = [:]
    /// Receipts that may want a copy, the oldest last, and those who joined since are not among them.
    private var waiting: [Receipt] = []
    /// What the image in memory was scaled to so far, where an earlier save is the answer.
    var thumbnails: [ThumbnailSize: DecodedImage] = [:]

    init(serial: Int, source: SavedFile, name: String?, usualName: String?, directory: String?, next: Next) {
        (self.serial, self.source, self.name, self.usualName) = (serial, source, name, usualName)
        (self.directory, self.next) = (directory, next)
    }

    /// Goes on from an earlier round: what that one could not make is told once.
    ///
    /// Its copies count only where they are of the same body; all others are made anew.
    ///
    /// - Parameters:
    ///   - earlier: Of the same task.
    ///   - isIntact: Whether a copy is still good.
    mutating func takeOver(_ earlier: DestinationCopies, isIntact: (SavedFile) -> Bool) {
        (refused, outdated, ownPaths) = (earlier.refused, earlier.outdated, earlier.ownPaths)
        guard earlier.source.isSame(as: source) else {
            outdated.merge(earlier.made) { $1 }
            return
        }
        made = earlier.made.filter { isIntact($0.value) }
        unchanged = earlier.unchanged.intersection(made.values.map { ExactText($0.path) })
    }

    /// Where a receipt wants a copy; `nil` if the source is what it wants.
    func wish(of receipt: Receipt) -> String? {
        guard receipt.options.saves, !receipt.options.destination.hasSameBytes(as: name),
            let wish = receipt.options.destination ?? usualName,
            !source.isAt(DestinationPath.absolute(wish, in: directory))
        else { return nil }
        return wish
    }

    /// The next copy to make.
    ///
    /// - Parameters:
    ///   - receipts: All of the task in order of submission; asked for once, and again when those are served.
    ///   - isLive: Whether a receipt is still one of them.
    /// - Returns: Who wants it, and where; `nil` if everybody has what was wished.
    /// - Complexity: O(n) for all n receipts together, as long as none joins.
    mutating func next(
        of receipts: () -> [Receipt],
        isLive: (ReceiptID) -> Bool
    ) -> (receipt: ReceiptID, destination: String)? {
        if let next = nextWaiting(isLive) { return next }
        waiting = receipts().reversed()
        return nextWaiting(isLive)
    }

    private mutating func nextWaiting(_ isLive: (ReceiptID) -> Bool) -> (receipt: ReceiptID, destination: String)? {
        while let receipt = waiting.popLast() {
            guard let wish = wish(of: receipt), made[ExactText(wish)] == nil, !refused.contains(ExactText(wish)) else {
                continue
            }
            if isLive(receipt.id) { return (receipt.id, wish) }
        }
        return nil
    }

    mutating func took(_ copy: SavedFile, at destination: String, isUnchanged: Bool) {
        made[ExactText(destination)] = copy
        outdated[ExactText(destination)] = nil
        if isUnchanged { unchanged.insert(ExactText(copy.path)) }
    }

    /// Nothing stood where a copy is now.
    mutating func own(_ copy: SavedFile) { ownPaths.insert(ExactText(copy.path)) }

    /// Whether nothing stood where a copy is but, at most, an earlier one of this task.
    func owns(_ copy: SavedFile) -> Bool { ownPaths.contains(ExactText(copy.path)) }

    /// No copy is made there; `nil` is the usual name.
    mutating func refuse(_ destination: String?) {
        if let destination = destination ?? usualName { refused.insert(ExactText(destination)) }
    }

    /// Lets go of the copies that nobody wants any more.
    ///
    /// - Parameter receipts: All of the task.
    /// - Returns: Those whose files go again; what may have replaced something stays.
    mutating func dropUnwanted(by receipts: [Receipt]) -> [SavedFile] {
        if made.isEmpty, outdated.isEmpty { return [] }
        let wishes = Set(receipts.compactMap { wish(of: $0).map(ExactText.init) })
        let unwanted = outdated.merging(made) { $1 }.filter { !wishes.contains($0.key) }
        for wish in unwanted.keys { (made[wish], outdated[wish]) = (nil, nil) }
        // Others may have spelled the same place otherwise.
        var kept: Set = [ExactText(source.path)]
        for copies in [made, outdated] { kept.formUnion(copies.values.map { ExactText($0.path) }) }
        var gone: [SavedFile] = []
        for copy in unwanted.values where !kept.contains(ExactText(copy.path)) {
            if ownPaths.remove(ExactText(copy.path)) != nil { gone.append(copy) }
        }
        return gone
    }

    /// Gives each receipt its file, once all copies are made.
    mutating func grant(_ receipts: [Receipt]) {
        if made.isEmpty { return }
        for receipt in receipts where receipt.options.saves {
            // Who wants no copy has the source, and not what the task ends with, which may be a copy.
            granted[receipt.id] = wish(of: receipt).map { made[ExactText($0)]?.path } ?? source.path
        }
    }

    /// The first copy, if each receipt that saves has one: nobody wants the source then.
    func successor(for receipts: [Receipt]) -> SavedFile? {
        var first: SavedFile?
        for receipt in receipts where receipt.options.saves {
            guard let copy = wish(of: receipt).flatMap({ made[ExactText($0)] }) else { return nil }
            first = first ?? copy
        }
        return first
    }
}

/// What a thread of the pool has to tell of a copy.
struct CopyNews: Sendable {
    let task: TaskID
    let key: MergeKey
    let serial: Int
    /// Whose wish it was.
    let receipt: ReceiptID
    let destination: String
    /// What was known of the key before, and so is the user's, however it is now.
    let known: [SavedFile]
    /// Those of them that stood there before, and that a file which is made can be told from.
    let standing: [SavedFile]
    /// Whether it may have taken the place of something that nobody knew.
    let mayOverwrite: Bool
    let result: Result<SavedFile, DownloadError>

    /// Whether a file was known, and is as it was.
    func isUnchanged(_ file: SavedFile) -> Bool { standing.contains { $0.isSame(as: file) } }
}

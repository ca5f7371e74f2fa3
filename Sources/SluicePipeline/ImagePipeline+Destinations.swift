internal import SluiceCore

/// Where bodies go whose requests name a place of their own.
extension ImagePipeline {
    /// Whether a file is where a request wants it: at its destination, or in the usual folder.
    ///
    /// There it may have the name that the server gave it, but not one that another request gave it.
    func isWanted(_ file: SavedFile, _ key: MergeKey, _ options: RequestOptions) -> Bool {
        if let wish = options.destination {
            return file.isAt(DestinationPath.absolute(wish, in: configuration.directory))
        }
        if knownFiles.isNamed(file.path), !file.path.hasSuffix("/\(usualName(nil, key))") { return false }
        guard let directory = configuration.directory, let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return true }
        return String(file.path[..<slash]).hasSameBytes(as: directory)
    }

    /// Whether a request gave a file its name, and not the server or the URL.
    func isNamed(_ destination: String?, usually usualName: String?) -> Bool {
        guard let destination else { return false }
        let directory = configuration.directory
        let usual = usualName.map { DestinationPath.absolute($0, in: directory) }
        return !Optional(DestinationPath.absolute(destination, in: directory)).hasSameBytes(as: usual)
    }

    /// A body got its name, as a request wished it or as it is usually called.
    func know(_ file: SavedFile, of body: TransferBody, for key: MergeKey) {
        let usual = body.usualName ?? usualName(body.head, key)
        know(file, for: key, isNamed: isNamed(body.wishes.name, usually: usual))
    }

    /// What a body is called for which no destination is named.
    func usualName(_ head: ResponseHead?, _ key: MergeKey) -> String {
        FileName.choose(disposition: head?.contentDisposition, url: key.url).name
    }

    /// How a whole body gets its name: where everybody left who named its place, nothing is overwritten there.
    func publication(of body: TransferBody, _ task: TaskID) -> FilePublication {
        guard body.wishes.onExists == .overwrite else { return .final }
        let name = body.wishes.name
        if inScheduler({ $0.hasReceipt(of: task, where: { $0.options.saves(at: name) }) }) {
            return .final
        }
        body.overwriteNothing()
        return .next
    }

    /// Begins to copy a body for the receipts whose destination is not the one it was saved to.
    ///
    /// Receipts with one destination share a file; where a copy fails, the first file is theirs, and a warning says so.
    ///
    /// - Parameters:
    ///   - published: The complete file.
    ///   - name: The destination that it was saved for; `nil` is its usual name.
    ///   - usualName: What it is called without a destination, where that is known.
    ///   - task: The task that is about to be delivered.
    ///   - next: What goes on when they are made.
    /// - Returns: Whether there is anything to copy, so that the rest has to wait.
    func beginCopies(
        _ published: SavedFile,
        named name: String?,
        usually usualName: String?,
        for task: TaskID,
        next: DestinationCopies.Next
    ) -> Bool {
        guard files != nil else { return false }
        let earlier = copies[task]
        if earlier == nil {
            guard let first = scheduler.firstReceipt(of: task) else { return false }
            // Nearly always there is one receipt, whose wish was granted already.
            let isGranted = first.options.destination.hasSameBytes(as: name)
            if isGranted, scheduler.task(task)?.receiptCount == 1 { return false }
        }
        var round = DestinationCopies(
            serial: copies.nextSerial(),
            source: published,
            name: name,
            usualName: usualName,
            directory: configuration.directory,
            next: next
        )
        if let earlier { round.takeOver(earlier) { files?.isIntact($0) == true } }
        for place in notebook[task].refusedPlaces { round.refuse(place?.string) }
        let isWaiting = makeNext(&round, of: task)
        if !isWaiting { grant(&round, of: task) }
        copies[task] = round
        return isWaiting
    }

    /// Begins the next copy that some receipt still wants.
    ///
    /// - Returns: Whether there is one.
    private func makeNext(_ round: inout DestinationCopies, of task: TaskID) -> Bool {
        guard let files, let (key, priority) = scheduler.task(task).map({ ($0.key, $0.priority) }),
            let (receipt, wish) = round.next(of: { scheduler.receipts(of: task) }, isLive: scheduler.isLive)
        else { return false }
        var request = FileRequest(path: wish, onExists: settings.onExists)
        (request.replaces, request.leavesEqual) = (knownFiles.replaceable(key), true)
        request.held = parts.locations(without: key.text)
        let (serial, known, copier) = (round.serial, request.replaces.all, files.copier(of: round.source, to: request))
        let standing = files.standing(known)
        let mayOverwrite = request.onExists == .overwrite
        pool.add(priority) { [self] in
            let result = copier()
            let news = CopyNews(
                task: task,
                key: key,
                serial: serial,
                receipt: receipt,
                destination: wish,
                known: known,
                standing: standing,
                mayOverwrite: mayOverwrite,
                result: result
            )
            post(.copied(news))
        }
        return true
    }

    /// Takes what a thread of the pool made, and goes on when it was the last one.
    func copied(_ news: CopyNews) {
        guard var round = copies.take(news.task, serial: news.serial) else {
            // Given up while it was made: nobody knows of it, so it goes again.
            if case .success(let file) = news.result { settle(file, news, isWanted: false, isNamed: false) }
            return
        }
        switch news.result {
        case .success(let file):
            // What took the place of an earlier copy goes as that one would: once all are made.
            let isWanted =
                scheduler.isLive(news.receipt) || round.owns(file)
                || inScheduler {
                    $0.hasReceipt(of: news.task) { round.wish(of: $0).hasSameBytes(as: news.destination) }
                }
            if isWanted, Self.mayTakeBack(file, madeFor: news) { round.own(file) }
            settle(file, news, isWanted: isWanted, isNamed: isNamed(news.destination, usually: round.usualName))
            if isWanted { round.took(file, at: news.destination, isUnchanged: news.isUnchanged(file)) }
        case .failure(let error):
            if case .earlierSave = round.next {
                copies.remove(news.task)
                fetchInstead(news.task)
                return
            }
            let cause = error.code == .diskFull ? "no room; make some, and ask for it once more" : error.message
            warn(.copy, "no copy for \(news.destination): \(cause)", task: news.task)
            round.refuse(news.destination)
        }
        goOn(round, of: news.task)
    }

    /// Takes the thumbnails of an image whose file was saved earlier.
    func scaledBeside(_ task: TaskID, _ serial: Int, _ thumbnails: [ThumbnailSize: DecodedImage]) {
        guard var round = copies.take(task, serial: serial) else { return }
        round.thumbnails.merge(thumbnails) { $1 }
        // Who joined meanwhile may want a copy too.
        goOn(round, of: task)
    }

    /// Makes the next copy, or ends the task that has all of them.
    private func goOn(_ round: consuming DestinationCopies, of task: TaskID) {
        let isWaiting = makeNext(&round, of: task)
        if !isWaiting { grant(&round, of: task) }
        copies[task] = round
        if isWaiting { return }
        switch round.next {
        case .transfer(let transfer, let image): copiesAreMade(for: transfer, image)
        case .answer(let serial, let image): copiesAreMade(for: task, serial, image)
        case .earlierSave: answer(task, by: round)
        }
    }

    /// Gives each receipt its file, and lets the copies of those go who left since they were made.
    private func grant(_ round: inout DestinationCopies, of id: TaskID) {
        let receipts = scheduler.receipts(of: id)
        if let key = scheduler.task(id)?.key {
            for copy in round.dropUnwanted(by: receipts) { giveUp(copy, key) }
        }
        round.grant(receipts)
    }

    /// Keeps a copy, or lets it go if nobody wants it any more and nothing stood in its place before.
    private func settle(_ file: SavedFile, _ news: CopyNews, isWanted: Bool, isNamed: Bool) {
        // A hit leaves it alone.
        if news.isUnchanged(file) { return }
        if !isWanted, Self.mayTakeBack(file, madeFor: news) { return remove(file) }
        countSaved(file)
        know(copy: file, for: news.key, isNamed: isNamed)
    }

    /// The file that a task ends with, once all copies are made.
    ///
    /// If those have left for whom the body was saved, that file goes again if it may, and the first copy takes its place.
    func file(of task: DownloadTask, savedAs published: SavedFile, _ body: TransferBody) -> SavedFile {
        guard let round = copies[task.id], Self.mayTakeBack(published, madeOf: body),
            let copy = round.successor(for: scheduler.receipts(of: task.id)),
            // A wish for a name that was taken may have found the first file itself, as equal.
            !copy.isAt(published.path)
        else { return published }
        know(copy, for: task.key, isNamed: knownFiles.isNamed(copy.path))
        giveUp(published, task.key)
        return copy
    }

    /// Whether a file goes again, since everybody who wanted one left while it was made.
    func isUnwanted(_ file: SavedFile, _ task: DownloadTask, _ body: TransferBody) -> Bool {
        if inScheduler({ $0.hasReceipt(of: task.id, where: \.options.saves) }) { return false }
        return Self.mayTakeBack(file, madeOf: body)
    }

    private static func mayTakeBack(_ file: SavedFile, madeOf body: TransferBody) -> Bool {
        mayTakeBack(file, replacing: body.wishes.replaces.all, mayOverwrite: body.wishes.onExists == .overwrite)
    }

    private static func mayTakeBack(_ file: SavedFile, madeFor news: CopyNews) -> Bool {
        mayTakeBack(file, replacing: news.known, mayOverwrite: news.mayOverwrite)
    }

    /// Whether a file that was just made may go again.
    ///
    /// Not where something may have stood in its place before, which can't be brought back.
    private static func mayTakeBack(_ file: SavedFile, replacing known: [SavedFile], mayOverwrite: Bool) -> Bool {
        !mayOverwrite && !known.contains { $0.isAt(file.path) }
    }

    /// Takes back a file that this session made a moment ago.
    func giveUp(_ file: SavedFile, _ key: MergeKey) {
        knownFiles.remove(file, key)
        counts.saved -= 1
        counts.savedBytes -= file.size
        remove(file)
    }

    /// At once, since what is not there any more must neither be found nor be in anybody's way.
    private func remove(_ file: SavedFile) { _ = files?.remover(of: file)() }
}

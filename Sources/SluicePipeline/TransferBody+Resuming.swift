internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// A body that continues a part of an earlier transfer.
extension TransferBody {
    /// What proves of which version the bytes in the part file are; `nil` where a later transfer can't continue them.
    var validator: EntityValidator? {
        if let resumption { return resumption.plan.part.validator }
        guard let head, head.status == 200, !head.isEncoded, wishes.mayCache, !wishes.allowsPartial else { return nil }
        return EntityValidator(head)
    }

    /// The fields of the head with which the body began; `nil` where that is not known.
    var firstFields: [HeaderField]? { resumption == nil ? head?.fields : resumption?.first }

    /// The time of its version, in seconds since 1970: as the answer says, or as the one did with which it began.
    var lastModified: Int? {
        if !isOfErrorPage, let stated = head?.lastModified { return stated }
        guard resumedTotal != nil, let resumption else { return nil }
        if case .lastModified(let date) = resumption.plan.part.validator { return HTTPDate.seconds(date.utf8.span) }
        return wholeField(nil, "last-modified").flatMap { HTTPDate.seconds($0.utf8.span) }
    }

    /// A field of the whole: of this answer, else of the one with which the body began, which need not be said again.
    ///
    /// - Parameters:
    ///   - own: What this answer says, if it does; but not as an error page.
    ///   - name: Lower-cased.
    /// - Returns: `nil` if neither says it.
    /// - SeeAlso: RFC 9110 §15.3.7
    func wholeField(_ own: String?, _ name: StaticString) -> String? {
        guard resumedTotal != nil else { return own }
        let first = resumption?.first?.first { $0.isNamed(name) }?.value
        return isOfErrorPage ? first : own ?? first
    }

    /// Whether the fields of this answer are those of an error page: it only says that the part is whole.
    var isOfErrorPage: Bool { if case .complete = mode { true } else { false } }

    /// Bytes of the whole, if known.
    var total: Int? { resumption == nil ? head?.expected : resumedTotal ?? resumption?.plan.part.total }

    /// Bytes from which on a part is worth its record: a date alone is no proof without bytes to compare.
    static func leastCount(_ validator: EntityValidator) -> Int {
        if case .entityTag = validator { 1 } else { prefixLength }
    }

    /// Bytes that tell a page from what is none.
    private static let tellingLength = 64

    /// Bytes of a part that are read back to find what its first ones don't tell.
    private static let readBackLimit = 1_048_576

    private func isKnownImage(_ bytes: [UInt8]) -> Bool { ImageFormat.sniff(bytes.span) != nil }

    /// Opens the file of a body that ends before its kind is known, so that its bytes can be continued.
    ///
    /// Where they could not be taken back, they are better not written: then all of it may be asked for again.
    func keepUndecided() {
        guard case .undecided = mode, !pending.isEmpty, wishes.saves, wishes.keepsFiles, !wishes.acceptsOnlyImages,
            resumption == nil, let validator, pending.count >= Self.leastCount(validator),
            // So many tell at least whether it is a page, and so how it is called.
            pending.count >= Self.tellingLength || isKnownImage(pending)
        else { return }
        // Without a file these few bytes come again: no cause to fail for.
        do throws(DownloadError) { try decideByPending() } catch { pending = [] }
    }

    /// Whether it is known if the answer continues the part.
    var isAwaitingJudgement: Bool { resumption != nil && head == nil }

    /// Bytes of the body that there are: until the server has answered, the part.
    var length: Int { isAwaitingJudgement ? resumption?.part.length ?? 0 : count }

    /// Continues the part if the answer does.
    ///
    /// - Returns: Whether all about this head is said.
    func resume(_ resumption: Resumption, _ head: ResponseHead) throws(DownloadError) -> Bool {
        let part = resumption.part
        let judgement = resumption.plan.judge(head)
        if !wishes.keepsFiles {
            switch judgement {
            case .startOver, .askAgain: throw giveUpContinuing()
            case .append, .complete, .unrelated: break
            }
        }
        switch judgement {
        case .append(let total):
            (mode, offset, count, resumedTotal) = (.file(part.file), part.length, part.length, total)
            overlap = part.overlap
            look(atStart: part)
            if wishes.maxFileSize > 0, total > wishes.maxFileSize { throw tooLarge(total) }
            try checkSpace()
            return true
        case .complete:
            (mode, offset, count, resumedTotal) = (.complete(part.file), part.length, part.length, part.length)
            look(atStart: part)
            return true
        case .startOver:
            dropPart()
            return false
        case .askAgain(let reason):
            throw askAgain(reason)
        case .unrelated:
            return false
        }
    }

    /// The head that the whole would have had, of which this answer brought the rest.
    ///
    /// It leaves out what the first one said, where the condition was kept: that stands as it was. Where that is not known
    /// any more, an answer without a type describes no whole.
    ///
    /// - SeeAlso: RFC 9110 §15.3.7, RFC 9111 §3.4
    func whole(_ head: ResponseHead) -> ResponseHead {
        if isOfErrorPage {
            var whole = head
            whole.fields = resumption?.first ?? []
            // Where those of the body are not known any more, nothing is to be stored.
            if resumption?.first != nil { whole.status = 200 }
            return whole
        }
        guard let first = resumption?.first ?? (head.contentType == nil ? nil : []) else { return head }
        let news = head.fields.filter { !$0.isNamed("content-range") && !$0.isNamed("content-length") }
        let names = Set(news.map { $0.name.lowercased() })
        var whole = head
        whole.status = 200
        whole.fields = first.filter { !names.contains($0.name.lowercased()) } + news
        return whole
    }

    /// What can be neither continued nor taken back is tried no more.
    private func giveUpContinuing() -> DownloadError {
        partFate = .notContinued
        return DownloadError(
            .truncated,
            "the origin does not continue what was cut off, and what was written can't be taken back: run it again"
        )
    }

    private func look(atStart part: ReopenedPart) {
        let bytes = part.prefix
        look(at: bytes.span)
        lookOn(part)
        usualName =
            FileName.choose(
                disposition: wholeField(head?.contentDisposition, "content-disposition"),
                url: wishes.url,
                contentType: statedType,
                isHTML: isHTML(bytes.span)
            ).name
        start = Self.isTelling(bytes) ? [] : bytes
    }

    /// Whether the start of a body tells what it is, as far as that can be told.
    private static func isTelling(_ start: [UInt8]) -> Bool {
        start.count >= prefixLength && !ImageFormat.mayTurnOutSVG(start.span)
    }

    /// Looks again at a body whose part was too short to tell its kind, with what continues it.
    func lookOn(_ chunk: Span<UInt8>) {
        let before = start
        let room = ImageFormat.reach - start.count
        for index in 0..<min(room, chunk.count) { start.append(chunk[index]) }
        look(at: start.span)
        // As long as all that came is there; the chunk itself is taken as any other.
        if scan == nil, needsScan, before.count == count, let format {
            scan = ImageScan(format)
            scan?.take(before.span)
        }
        if Self.isTelling(start) { start = [] }
    }

    /// Finds what does not stand in the first bytes of a part, as far as it is read back.
    private func lookOn(_ part: ReopenedPart) {
        guard needsScan, let format, var scan = ImageScan(format), let files, files.canReadBack else { return }
        let descriptor: Int32
        do throws(DownloadError) { descriptor = try files.descriptor(of: part.file) } catch { return }
        defer { close(descriptor) }
        let bytes = FileBytes.read(descriptor, min(part.length, Self.readBackLimit), at: 0)
        scan.take(bytes.span)
        info = scan.info ?? info
        if bytes.count == part.length, needsScan { self.scan = scan }
    }

    private func dropPart() {
        guard let file else { return }
        files?.discard(file)
        if let own = resumption?.own { goElsewhere(own) }
        (resumption, partFate) = (nil, .dropped)
    }

    func askAgain(_ reason: String) -> DownloadError {
        if !wishes.keepsFiles { return giveUpContinuing() }
        dropPart()
        (mode, partFate) = (.dropped, .mustAskAgain(reason: reason))
        return DownloadError(.badResponse, "\(reason); asking for all of it")
    }

    /// Compares what comes with what was cut off the part.
    func compareOverlap(_ chunk: Span<UInt8>) throws(DownloadError) {
        // By what was taken, not by what came: a chunk that had to wait comes again.
        let place = count - offset
        for index in 0..<max(0, min(overlap.count - place, chunk.count)) where chunk[index] != overlap[place + index] {
            throw askAgain("the part ends with other bytes than the server has there")
        }
    }
}

extension EventDecoder {
    // MARK: - Requests

    func submission(_ fields: EventFields) throws(EventDecodingError) -> Submission {
        var submission = Submission(
            url: try fields.text("url"),
            outcome: try fields.word("outcome"),
            why: .recorded(try fields.text("why")),
            origin: try fields.optionalText("origin").flatMap(DownloadRequest.Source.init(recorded:)) ?? .program
        )
        submission.source = try fields.optionalWord("source")
        submission.receipt = try fields.optionalInt("receipt", from: 1).map { ReceiptID($0) }
        submission.task = try fields.optionalInt("task", from: 1).map { TaskID($0) }
        submission.position = try fields.optionalInt("position", from: 1)
        submission.tag = try fields.optionalText("tag")
        submission.error = try error(fields)
        return submission
    }

    func receiptEnd(_ fields: EventFields) throws(EventDecodingError) -> ReceiptEnd {
        var end = ReceiptEnd(
            receipt: ReceiptID(try fields.int("receipt", from: 1)),
            task: try fields.task(),
            url: try fields.text("url"),
            outcome: try fields.word("outcome")
        )
        (end.tag, end.file) = (try fields.optionalText("tag"), try fields.optionalText("file"))
        end.error = try error(fields)
        return end
    }

    // MARK: - Tasks

    func change(_ phase: TaskChange.Phase, _ fields: EventFields) throws(EventDecodingError) -> TaskChange {
        var change = TaskChange(
            phase: phase,
            task: try fields.task(),
            url: try fields.text("url"),
            attempt: try fields.int("attempt"),
            active: try fields.int("active"),
            queued: try fields.int("queued")
        )
        change.position = try fields.optionalInt("position", from: 1)
        if fields.isPresent("until") {
            let (offset, isOver) = try fields.time("until").subtractingReportingOverflow(start.nanosecondsSince1970)
            if isOver { throw EventDecodingError("its until is not of this age") }
            change.until = start.time + .nanoseconds(offset)
        }
        change.delay = try fields.optionalSeconds("delay")
        if let reason = try fields.optionalText("reason") {
            change.reason = try error(fields).flatMap { Why(retry: reason, $0) } ?? .recorded(reason)
        }
        return change
    }

    func response(_ fields: EventFields) throws(EventDecodingError) -> PipelineEvent.Kind {
        var head = ResponseHead.Content(status: try fields.int("status"), finalURL: try fields.text("finalURL"))
        head.expected = try fields.optionalInt("expected")
        for value in try fields.array("headers") {
            guard let pair = value.array, pair.count == 2, let name = pair[0].string, let text = pair[1].string else {
                throw EventDecodingError("one of its headers is no pair of texts")
            }
            head.fields.append(HeaderField(name, text))
        }
        head.contentType = try fields.optionalText("mime")
        if let field = head.fields.last(where: { $0.name.lowercased() == "content-type" }) {
            head.contentType = field.value
        }
        head.remoteAddress = try fields.text("remoteAddress")
        head.httpVersion = try fields.text("httpVersion")
        head.reused = try fields.flag("reused")
        head.redirects = try fields.int("redirects")
        head.hops = try hops(fields)
        return .taskResponse(try fields.task(), ResponseHead(head), source: try fields.word("source"))
    }

    func taskEnd(_ fields: EventFields) throws(EventDecodingError) -> TaskEnd {
        var end = TaskEnd(
            task: try fields.task(),
            url: try fields.text("url"),
            outcome: try fields.word("outcome"),
            receipts: try fields.int("receipts")
        )
        end.status = try fields.optionalInt("status")
        end.bytes = try fields.int("bytes")
        end.source = try fields.word("source")
        end.file = try fields.optionalText("file")
        end.isFileUnchanged = fields.isPresent("unchanged") ? try fields.flag("unchanged") : false
        if let image = try fields.object("image"), let format = ImageFormat(rawValue: try image.text("format")) {
            end.image = ImageInfo(
                format: format,
                width: try image.int("width"),
                height: try image.int("height"),
                frames: try image.int("frames")
            )
        }
        end.error = try error(fields)
        if let timings = try fields.object("timings") {
            var transfer = TransferTimings(total: try timings.optionalSeconds("total") ?? .zero)
            transfer.dns = try timings.optionalSeconds("dns")
            transfer.connect = try timings.optionalSeconds("connect")
            transfer.tls = try timings.optionalSeconds("tls")
            transfer.firstByte = try timings.optionalSeconds("firstByte")
            transfer.redirects = try timings.optionalSeconds("redirects")
            var all = TaskEnd.Timings(queued: try timings.seconds("queued"), transfer: transfer)
            (all.decode, all.save) = (try timings.optionalSeconds("decode"), try timings.optionalSeconds("save"))
            end.timings = all
        }
        end.hops = try hops(fields)
        return end
    }

    private func hops(_ fields: EventFields) throws(EventDecodingError) -> [RedirectHop] {
        guard fields.isPresent("hops") else { return [] }
        var hops: [RedirectHop] = []
        for value in try fields.array("hops").prefix(RedirectHop.limit) {
            let hop = try EventFields(value)
            hops.append(RedirectHop(status: try hop.int("status"), url: try hop.text("url")))
        }
        return hops
    }

    private func error(_ fields: EventFields) throws(EventDecodingError) -> DownloadError? {
        guard let error = try fields.object("error") else { return nil }
        return DownloadError(
            DownloadError.Code(rawValue: try error.text("code")) ?? .unsupported,
            try error.text("message"),
            status: try error.optionalInt("status"),
            body: try error.optionalText("body"),
            limit: try limit(error)
        )
    }

    /// Nothing of a setting that only a later Sluice has.
    private func limit(_ error: EventFields) throws(EventDecodingError) -> DownloadError.Limit? {
        guard let limit = try error.object("limit"),
            let setting = DownloadError.Limit.Setting(rawValue: try limit.text("setting"))
        else { return nil }
        return DownloadError.Limit(setting, needed: try limit.optionalInt("needed", from: 1))
    }

    // MARK: - Caches

    func cacheChange(_ verb: CacheChange.Verb, _ fields: EventFields) throws(EventDecodingError) -> CacheChange {
        CacheChange(
            verb: verb,
            key: try key(fields),
            cost: try fields.int("cost"),
            usage: try fields.int("usage"),
            capacity: try fields.int("capacity"),
            count: try fields.int("count"),
            why: .recorded(try fields.text("why"))
        )
    }

    func purge(_ fields: EventFields) throws(EventDecodingError) -> CachePurge {
        var victims: [CachePurge.Victim] = []
        for value in try fields.array("victims") {
            let victim = try EventFields(value)
            victims.append(
                CachePurge.Victim(
                    key: try key(victim),
                    cost: try victim.int("cost"),
                    idle: try victim.seconds("idle")
                )
            )
        }
        let (before, freed) = (try fields.int("before"), try fields.int("freed"))
        guard freed <= before else { throw EventDecodingError("it freed more than there was") }
        return CachePurge(
            trigger: try fields.word("trigger"),
            before: before,
            needed: try fields.int("needed"),
            freed: freed,
            preferred: try fields.int("preferred"),
            victims: victims
        )
    }

    private func key(_ fields: EventFields) throws(EventDecodingError) -> CacheKey {
        CacheKey(key: try fields.text("key"), id: try fields.optionalText("id") ?? "")
    }

    func httpCacheChange(
        _ verb: HTTPCacheChange.Verb,
        _ fields: EventFields
    ) throws(EventDecodingError) -> HTTPCacheChange {
        // A time too far away to be counted is none that matters to a screen.
        let freshUntil = try fields.optionalText("freshUntil").flatMap(RFC3339.nanosecondsSince1970)
        return HTTPCacheChange(
            verb: verb,
            key: try fields.text("key"),
            bytes: try fields.int("bytes"),
            usage: try fields.int("usage"),
            freshUntil: freshUntil.map { $0 / 1_000_000 },
            why: .recorded(try fields.text("why"))
        )
    }
}

extension Why {
    /// What ``sentence(now:)`` said of a retry, with the error that it was about.
    init?(retry sentence: String, _ error: DownloadError) {
        var words = sentence.split(separator: " ", omittingEmptySubsequences: false)
        let servers = [Substring("when"), "the", "server", "allows", "it"]
        let serverAsked = words.suffix(5).elementsEqual(servers)
        if serverAsked { words.removeLast(5) }
        guard words.count > 5, words.last == "follows", words[words.count - 5] == "attempt",
            words[words.count - 3] == "of",
            let next = Int(words[words.count - 4]), let of = Int(words[words.count - 2])
        else { return nil }
        self = .retryAfter(error, next: next, of: of, serverAsked: serverAsked)
    }
}

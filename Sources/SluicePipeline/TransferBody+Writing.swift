internal import SluiceCore

/// Takes what arrives, in each mode as that wants it.
///
/// Inlined, since checks for exclusive access are merged within a function only.
extension TransferBody {
    func write(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        switch mode {
        case .complete:
            return .taken
        case .refused:
            return try takeRefused(chunk)
        case .undecided:
            return try takeUndecided(chunk, received: received)
        case .file(let file):
            return try write(chunk, to: file, received: received)
        case .memory, .kept:
            return try takeInMemory(chunk, received: received)
        case .dropped:
            try judge(count + chunk.count, received: received)
            count += chunk.count
            try leaveIfUseless()
            sum?.update(chunk)
            scan?.take(chunk)
            return .taken
        }
    }

    private func takeRefused(_ chunk: Span<UInt8>) throws(DownloadError) -> BodyFlow {
        let room = Self.refusedLimit - bytes.count
        if room > 0 { bytes.append(chunk, count: min(room, chunk.count)) }
        count += chunk.count
        // Much more may come of it than arrives, if it is packed.
        if count > Self.uselessLimit { throw refusal() }
        // What it fails for is known: whatever comes soon is shown, and no slot waits for the rest.
        return isStored ? .taken : .enough
    }

    @inline(__always)
    private func takeUndecided(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        try judge(count + chunk.count, received: received)
        if pending.isEmpty, isEnough(chunk) {
            // It tells by itself, and need not be collected.
            do throws(DownloadError) {
                try decide(chunk)
            } catch {
                // What is refused came all the same.
                count += chunk.count
                throw error
            }
            return try write(chunk, received: received)
        }
        count += chunk.count
        sum?.update(chunk)
        pending.append(chunk, count: chunk.count)
        // A copy shares its bytes, and may be looked at while this object changes.
        let prefix = pending
        guard isEnough(prefix.span) || isRefusable else { return .taken }
        try decideByPending()
        if case .file = mode, pending.isEmpty { try refuseOther() }
        return .taken
    }

    @inline(__always)
    private func write(_ chunk: Span<UInt8>, to file: FileID, received: Int) throws(DownloadError) -> BodyFlow {
        guard try flush(), let files else { return .pause }
        try judge(count + chunk.count, received: received)
        if resumption != nil { try compareWithPart(chunk) }
        let flow = try files.write(chunk, to: file)
        guard flow == .taken else { return flow }
        if !start.isEmpty { lookOn(chunk) }
        count += chunk.count
        scan?.take(chunk)
        keepCopy(chunk)
        try refuseOther()
        return flow
    }

    /// Stops what is not the rest of the part that it should continue.
    @inline(__always)
    private func compareWithPart(_ chunk: Span<UInt8>) throws(DownloadError) {
        if let resumedTotal, count + chunk.count > resumedTotal {
            throw askAgain("the server sent more than it announced")
        }
        if count - offset < overlap.count { try compareOverlap(chunk) }
    }

    /// What somebody who joined wants saved goes to a file, lest it outgrows what memory takes.
    @inline(__always)
    private func takeInMemory(_ chunk: Span<UInt8>, received: Int) throws(DownloadError) -> BodyFlow {
        if isUnsaved {
            try saveLate()
            if case .file(let file) = mode { return try write(chunk, to: file, received: received) }
        }
        try judge(count + chunk.count, received: received)
        if case .kept = mode { try keep(chunk) } else { try decodeLater(chunk) }
        return .taken
    }

    @inline(__always)
    private func decodeLater(_ chunk: Span<UInt8>) throws(DownloadError) {
        count += chunk.count
        guard count <= wishes.memoryLimit else {
            throw DownloadError(
                .tooLarge,
                "an image of more than \(wishes.memoryLimit) bytes is not decoded from memory; save it"
            )
        }
        bytes.append(chunk, count: chunk.count)
        sum?.update(chunk)
        scan?.take(chunk)
    }

    /// Takes what is in memory only to be stored, or counts it once it is too much for that.
    @inline(__always)
    private func keep(_ chunk: Span<UInt8>) throws(DownloadError) {
        count += chunk.count
        try leaveIfUseless()
        sum?.update(chunk)
        scan?.take(chunk)
        if count > storeLimit {
            (mode, bytes, storing) = (.dropped, [], .skip(why: .notKeptInMemory(limit: storeLimit)))
        } else {
            bytes.append(chunk, count: chunk.count)
        }
    }

    /// Ends a transfer of which much is left, or much came without an end in sight, and that only repeats a file.
    private func leaveIfUseless() throws(DownloadError) {
        guard hasSkipped, !isStored, wishes.areAllSaved, !wishes.decodes, wishes.sha256 == nil, head?.isEncoded != true,
            (head?.expected.map { $0 - count } ?? count) > Self.uselessLimit
        else { return }
        (mode, bytes, noFile, scan) = (.dropped, [], .left, nil)
        if storing?.isStored == true { storing = .skip(why: .notFetched) }
        throw DownloadError(.cancelled, "the rest is not needed")
    }

    /// Keeps what went where it can't be read again, for the HTTP cache.
    private func keepCopy(_ chunk: Span<UInt8>) {
        guard !wishes.keepsFiles, storing?.isStored == true else { return }
        if count > storeLimit {
            (bytes, storing) = ([], .skip(why: .notKeptInMemory(limit: storeLimit)))
        } else {
            bytes.append(chunk, count: chunk.count)
        }
    }
}

extension [UInt8] {
    /// Appends the first `count` bytes of a chunk.
    fileprivate mutating func append(_ chunk: Span<UInt8>, count: Int) {
        unsafe chunk.withUnsafeBufferPointer { unsafe append(contentsOf: $0.prefix(count)) }
    }
}

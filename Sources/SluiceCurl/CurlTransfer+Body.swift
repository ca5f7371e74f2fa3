internal import CCurl
import SluiceCore

/// The body of an answer on its way from curl to the sink.
extension CurlTransfer {
    /// - Returns: What curl wants to hear: the number of bytes taken, or that it shall pause.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = state.now
        unshunConnection()
        guard let transfer, let sink else { return 0 }
        if !run.answer.hasBegun {
            guard case .challenge = run.answer, unsafe !bytes.isEmpty else { return drop(bytes.count) }
            // curl passes over the body of a challenge that it answers, so this one is the final answer.
            guard beginBody() else { return 0 }
        }
        if unsafe bytes.isEmpty { return 0 }
        let bytes = unsafe ofBody(bytes)
        let wasEnough = run.body.sufficesSince != nil
        // curl brings all of a large buffer piece by piece, whatever was said in between; it keeps what is refused.
        switch run.stop {
        case nil, .sink?: break
        case .rate?: return sluice_write_pause()
        case .turn?:
            run.stop = .turn(keepsBytes: true)
            return sluice_write_pause()
        }
        do throws(DownloadError) {
            let chunk = unsafe Span<UInt8>(_unsafeBytes: bytes)
            let flow =
                if let decoder = run.body.decoder { try decode(chunk, with: decoder, into: sink) } else {
                    try hand(chunk, to: sink, received: run.body.received + chunk.count)
                }
            if case .pause = flow {
                run.stop = .sink
                return sluice_write_pause()
            }
        } catch {
            // What it was refused for was read of it.
            run.body.received += bytes.count
            fail(error)
            return 0
        }
        run.body.received += bytes.count
        do throws(DownloadError) {
            if endsEarly { return 0 }
            if try endsByCount() { return 0 }
        } catch {
            fail(error)
            return 0
        }
        if wasEnough, drop(bytes.count) == 0 { return 0 }
        if run.exchange.isHeard, run.body.received == run.body.expected {
            if CurlLibrary.speaksBeforeWriting { stopListening() }
            lookBehindBody()
        }
        if state.limiter.isActive, state.limiter.mustStop(transfer, afterTaking: bytes.count) {
            run.stop = .rate
            unsafe curl_easy_pause(handle, sluice_pause_reading())
        }
        // What comes next is refused, and curl keeps it. Told to pause here, it would read once more in each turn.
        if run.answer.channel != .shared, run.body.decoder != nil, !isStopped,
            state.unpacked >= TransportState.mostUnpacked
        {
            run.stop = .turn(keepsBytes: false)
            state.yielded.append(transfer)
        }
        return bytes.count
    }

    /// Delivers what a chunk unpacks to, piece by piece.
    ///
    /// Where the sink stops, curl keeps the whole chunk and brings it again; what the decoder has
    /// read of it is then passed over, and the piece that was not taken goes first.
    private func decode(
        _ chunk: Span<UInt8>,
        with decoder: ContentDecoder,
        into sink: any BodySink
    ) throws(DownloadError) -> BodyFlow {
        state.unpacked += chunk.count
        var taken = min(run.body.takenOfRefused, chunk.count)
        while true {
            if case .pause = try deliverPiece(of: decoder, to: sink, received: run.body.received + taken) {
                run.body.takenOfRefused = max(run.body.takenOfRefused, taken)
                return .pause
            }
            taken += try decoder.makePiece(from: chunk.extracting(taken..<chunk.count))
            if decoder.piece.isEmpty { break }
        }
        run.body.takenOfRefused = max(0, run.body.takenOfRefused - chunk.count)
        return .taken
    }

    private func deliverPiece(
        of decoder: ContentDecoder,
        to sink: any BodySink,
        received: Int
    ) throws(DownloadError) -> BodyFlow {
        let piece = decoder.piece
        if piece.isEmpty { return .taken }
        let flow = try hand(piece.span, to: sink, received: received)
        state.unpacked += piece.count
        switch flow {
        case .taken, .enough: decoder.dropPiece()
        case .pause: break
        }
        return flow
    }

    /// Notes when the sink has all that it wants.
    @inline(__always)
    private func hand(_ chunk: Span<UInt8>, to sink: any BodySink, received: Int) throws(DownloadError) -> BodyFlow {
        let flow = try sink.write(chunk, received: received)
        if case .enough = flow, run.body.sufficesSince == nil {
            run.body.sufficesSince = state.now
            state.watchUnwanted(since: state.now)
        }
        return flow
    }

    /// Whether curl is to take leave of a stream of HTTP/2 that was answered before all of the request was read.
    ///
    /// Else it would wait for room to send what nobody reads any more.
    ///
    /// - SeeAlso: RFC 9113 §8.1
    var endsEarly: Bool {
        guard run.answer.channel == .shared, request.body != nil, isWhole else { return false }
        noteUpload()
        run.body.isWholeEarly = isUploading
        return run.body.isWholeEarly
    }

    /// What of a chunk belongs to the body.
    private func ofBody(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard run.body.isCounted, let expected = run.body.expected, bytes.count > expected - run.body.received else {
            return unsafe bytes
        }
        run.body.hasExtraBytes = true
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<max(0, expected - run.body.received)])
    }

    /// Whether curl is to take leave of a connection, over which all came that was announced.
    ///
    /// Else it would wait for its end, since the answer says something of a `Transfer-Encoding`.
    ///
    /// - Throws: `truncated` if the codings did not come to their end.
    func endsByCount() throws(DownloadError) -> Bool {
        guard run.body.isCounted, run.body.received == run.body.expected else { return false }
        if let decoder = run.body.decoder, mustBeComplete, !decoder.isComplete {
            throw CurlError.cut(host, decoder.name, received: run.body.received)
        }
        run.body.isWholeEarly = true
        return true
    }

    /// Reads past a body that nobody wants, to keep its connection; not forever.
    private func drop(_ byteCount: Int) -> Int {
        run.exchange.dropped += byteCount
        let isLate = run.unwantedSince.map { state.now - $0 > Self.droppedTime } ?? false
        return run.exchange.dropped <= Self.droppedLimit && !isLate ? byteCount : 0
    }
}

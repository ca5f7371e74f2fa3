internal import CCurl
import SluiceCore

/// The body of an answer on its way from curl to the sink.
extension CurlTransfer {
    /// Makes curl say when it drops bytes behind the announced ones, which it tells in no other way.
    func listenForExtraBytes() {
        run.isVerbose = true
        unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 1)
    }

    /// Makes curl silent again: it formats each of its sentences, and has some for every end.
    func stopListening() {
        run.isVerbose = false
        unsafe sluice_set_long(handle, CURLOPT_VERBOSE, 0)
    }

    /// Takes a sentence of curl's.
    func hear(_ text: UnsafeRawBufferPointer) {
        if unsafe text.starts(with: "Excess found".utf8) { run.hasExtraBytes = true }
    }

    /// - Returns: What curl wants to hear: the number of bytes taken, or that it shall pause.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = state.now
        guard let transfer, let sink else { return 0 }
        guard run.hasBegun else { return drop(bytes.count) }
        if unsafe bytes.isEmpty { return 0 }
        // curl brings all of a large buffer piece by piece, whatever was said in between; it keeps what is refused.
        if run.stops.contains(.rate) { return sluice_write_pause() }
        if run.stops.contains(.turn) {
            run.isHeldByTurn = true
            return sluice_write_pause()
        }
        do throws(DownloadError) {
            let chunk = unsafe Span<UInt8>(_unsafeBytes: bytes)
            let flow =
                if let decoder = run.decoder { try decode(chunk, with: decoder, into: sink) } else {
                    try sink.write(chunk, received: run.received + chunk.count)
                }
            if case .pause = flow {
                run.stops.insert(.sink)
                return sluice_write_pause()
            }
        } catch {
            // What it was refused for was read of it.
            run.received += bytes.count
            fail(error)
            return 0
        }
        run.received += bytes.count
        if run.isVerbose, run.received == run.expected {
            if CurlLibrary.speaksBeforeWriting { stopListening() }
            lookBehindBody()
        }
        if state.limiter.isActive, state.limiter.mustStop(transfer, afterTaking: bytes.count) {
            run.stops.insert(.rate)
            unsafe curl_easy_pause(handle, sluice_pause_reading())
        }
        // What comes next is refused, and curl keeps it. Told to pause here, it would read once more in each turn.
        if run.isAlone, run.decoder != nil, run.stops.isEmpty, state.unpacked >= TransportState.mostUnpacked {
            run.stops.insert(.turn)
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
        var taken = min(run.takenOfRefused, chunk.count)
        while true {
            if case .pause = try deliverPiece(of: decoder, to: sink, received: run.received + taken) {
                run.takenOfRefused = max(run.takenOfRefused, taken)
                return .pause
            }
            taken += try decoder.makePiece(from: chunk.extracting(taken..<chunk.count))
            if decoder.piece.isEmpty { break }
        }
        run.takenOfRefused = max(0, run.takenOfRefused - chunk.count)
        return .taken
    }

    private func deliverPiece(
        of decoder: ContentDecoder,
        to sink: any BodySink,
        received: Int
    ) throws(DownloadError) -> BodyFlow {
        let piece = decoder.piece
        if piece.isEmpty { return .taken }
        let flow = try sink.write(piece.span, received: received)
        state.unpacked += piece.count
        if case .taken = flow { decoder.dropPiece() }
        return flow
    }

    /// Reads past the body of an answer that leads elsewhere, to keep its connection; not forever.
    private func drop(_ byteCount: Int) -> Int {
        run.dropped += byteCount
        let isLate = run.mustAskAgain && state.now - run.redirected > Self.droppedTime
        return run.dropped <= Self.droppedLimit && !isLate ? byteCount : 0
    }
}

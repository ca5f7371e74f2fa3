import SluiceCore

extension CurlTransfer {
    /// What may keep a transfer from reading.
    enum StopReason {
        /// The sink, which did not take a chunk.
        case sink
        /// The limiter, whose share is used up.
        case rate
        /// The other transfers, which wait for their part of a turn.
        case turn
    }

    /// Everything that starts anew with a transfer.
    ///
    /// It lies within the transfer and is changed in place: curl's callbacks write to it for every line and piece.
    struct Run {
        /// Where to ask, and with what.
        var redirection: Redirection
        /// Whether the credentials answer a challenge; else they go with the first request.
        var isDigest = false
        /// Digest challenges since the last redirect.
        var challenges = 0
        var connection = Connection.any
        /// Of the head at hand.
        var fields = HeadFields()
        var answer = Answer.nothing
        var body = Body()
        /// Why it reads no further at the moment; `nil` while it reads.
        var stop: Stop?
        var exchange = Exchange()
        /// Of the requests before the one at hand.
        var timings = TransferTimings(total: .zero)
        var error: DownloadError?
    }
}

extension CurlTransfer.Run {
    /// Over what the request at hand goes.
    enum Connection {
        /// Whatever curl takes.
        case any
        /// Nothing that is there would do, so nothing was sent: it is to be asked again, over a new one.
        case unfit
        /// One that is made for it.
        case new
    }

    /// How far the answer to the request at hand came, and whose it is.
    enum Answer {
        /// Nothing of it came. Next is `head`.
        case nothing
        /// Lines of a head, or whole heads before the final one. All that follow may be next.
        case head
        /// A digest challenge that curl may answer by itself; if it does not, this is the sink's.
        ///
        /// Next are another one, what answers curl, or `begun`.
        case challenge
        /// It is not for the sink, since there is another place or way to ask; known since then. The last one.
        case leadsOn(since: Timestamp)
        /// The sink has its head, and what comes is its body. The last one.
        case begun(Channel)

        /// By what the body comes; `nil` before it has begun.
        var channel: Channel? { if case .begun(let channel) = self { channel } else { nil } }

        var hasBegun: Bool { channel != nil }
    }

    /// By what a body comes.
    enum Channel {
        /// A connection for the answers of others too, which would stop with it.
        case shared
        /// A connection of its own, as in HTTP/1.
        case own
    }

    /// What came of the body.
    struct Body {
        /// Undoes its codings; `nil` where there are none.
        var decoder: ContentDecoder?
        /// Bytes of a chunk that the decoder took, though curl keeps the chunk.
        var takenOfRefused = 0
        /// Bytes as sent.
        var received = 0
        var expected: Int?
        /// Bytes of a part that announces no length, by its range.
        var rangeCount: Int?
        /// More came than was announced.
        var hasExtraBytes = false
        /// Whether its length ends it, of which curl knows nothing: see ``HeadFields/passesOverLength``.
        var isCounted = false
        /// All of it came, while curl has more to do: to send of the request, or to wait for the connection's end.
        var isWholeEarly = false
        /// Since when the sink has all that it wants; `nil` before.
        var sufficesSince: Timestamp?
    }

    /// Why a transfer reads no further.
    ///
    /// It is never two of them: who stands still is brought nothing that could be refused for another reason.
    enum Stop {
        /// The sink did not take a chunk, which curl keeps.
        case sink
        /// The share of the rate is used up.
        case rate
        /// It had its part of a turn, and goes on in a later one; curl may keep bytes that came behind that part.
        case turn(keepsBytes: Bool)

        var reason: CurlTransfer.StopReason {
            switch self {
            case .sink: .sink
            case .rate: .rate
            case .turn: .turn
            }
        }
    }

    /// What starts anew with each request of a transfer.
    struct Exchange {
        /// Who hears how TLS ends, where the body ends with it.
        var farewell: CurlTrust?
        /// When the request was made ready.
        var asked = Timestamp(nanoseconds: 0)
        /// Bytes of the request's body that had gone out when that was looked at last.
        var uploaded = 0
        /// Whether no descriptor was left for a connection.
        var lacksDescriptors = false
        /// Whether curl was about to send it: by itself it sends again what a kept connection swallowed.
        var isSent = false
        /// Whether a handshake was judged.
        var isJudged = false
        /// Who asked for a client certificate in a handshake.
        var clientWish: CurlError.ClientWish?
        /// Of all heads, those before the final one included.
        var headLines = 0
        /// How often bytes counted that are no whole line yet.
        var partialLines = 0
        /// Whether curl tells what it does, which costs; only behind a head, until the answer has ended.
        var isHeard = false
        /// Whether it told that it dropped bytes behind the answer.
        var isSpoiled = false
        /// Bytes of a body that nobody wants to see, or behind what was wanted of it.
        var dropped = 0
        /// The socket that the answer comes from; −1 until curl waits for it, or it is looked for.
        var socket: Int32 = -1
        /// Whether it is known if there is more to read than the answer.
        var isSurplusKnown = false
    }

    /// Whether there is another place or way to ask.
    var mustAskAgain: Bool {
        if connection == .unfit { return true }
        return if case .leadsOn = answer { true } else { false }
    }

    /// Since when what comes is a body that nobody wants; `nil` where none does, as far as it is known.
    var unwantedSince: Timestamp? { if case .leadsOn(let since) = answer { since } else { body.sufficesSince } }

    /// Forgets what concerned the request before.
    mutating func beginRequest(at time: Timestamp) {
        exchange = Exchange(asked: time)
        // A sink is given one head only.
        if !answer.hasBegun { answer = .nothing }
        if connection == .unfit { connection = .new }
    }

    /// Takes the first line of an answer.
    mutating func beginAnswer() { (answer, connection) = (.head, .any) }
}

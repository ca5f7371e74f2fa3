internal import SluiceCore

/// What a person can do about a failure, in a sentence or two.
enum Advice {
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - keys: Those that it may name; `nil` where none does anything, as in a recording.
    ///   - url: What was asked for; `nil` where another one failed, to which it led.
    /// - Returns: Whole sentences, safe to draw.
    static func text(_ error: DownloadError, _ keys: KeyMap? = .standard, url: String? = nil) -> String {
        switch error.code {
        case .badURL:
            "Check the address: it must start with http:// or https:// and name a host."
                + key(.editURL, "edits it", keys)
        case .cancelled: "It was cancelled; add the URL again to start over."
        case .timedOut:
            "The server was silent for too long; a longer timeout may help." + key(.retry, "tries again", keys)
        case .hostNotFound: "Check the spelling of the host, and whether this machine has a network."
        case .cannotConnect: "The host refuses or does not answer. Check the port." + key(.retry, "tries again", keys)
        case .connectionLost: "The server hung up." + key(.retry, "tries again", keys)
        case .tooManyRedirects: "The server sends in circles: open the URL in a browser to see where it ends."
        case .badStatus: status(error.status ?? 0, keys)
        case .badResponse: "The answer breaks the rules of HTTP; only the server's owner can mend that."
        case .truncated: "The body ended early." + key(.retry, "tries again", keys)
        case .tlsUntrusted:
            "Nobody known vouches for this certificate. Trust its key only if you know whose it is."
                + key(.trust, "shows its certificates", keys)
        case .tlsFailed where error.message.contains(DownloadError.noTLS): plainText(url, keys)
        case .tlsFailed: "No secure connection came about; the server may speak only old versions of TLS."
        case .unacceptableContentType: "It is no image, and only images are accepted now."
        case .badImage: "It says it is an image and is none. What came is kept with the ending .bad: look at it."
        case .badChecksum: "What came is not what was announced; it is kept with the ending .bad."
        case .tooLarge: limit(error.limit, keys)
        case .notCached: "Nothing is stored for it, and the policy forbids the network: choose another policy."
        case .previouslyFailed: "It failed for good a while ago." + key(.retry, "tries it all the same", keys)
        case .diskFull: "Make room on the disk." + key(.retry, "tries again", keys)
        case .ioError: "The file system refused. Check the permissions of the directory."
        case .unsupported: "Sluice does not speak this; another program may."
        }
    }

    private static func status(_ status: Int, _ keys: KeyMap?) -> String {
        switch status {
        case 401, 407: "The server wants a name and a password."
        case 403: "The server knows the address and refuses: perhaps it wants you to log in first."
        case 404, 410:
            "The address leads nowhere any more: look for where it went." + key(.editURL, "edits the URL", keys)
        case 408, 429:
            "The server asks for patience: fewer slots for this host may help." + key(.retry, "tries again", keys)
        case 500...: "The server is in trouble, not you." + key(.retry, "tries again", keys)
        default: "The server refused; its answer may say why."
        }
    }

    /// Of a server that was asked for TLS and has none there.
    private static func plainText(_ url: String?, _ keys: KeyMap?) -> String {
        let secure = "https://"
        guard let url, url.prefix(secure.count).lowercased() == secure else {
            return "Where it leads speaks no TLS: only the server's owner can mend that."
        }
        let other = VisibleText.visible("http://\(url.dropFirst(secure.count))", limit: 300)
        return "Try \(Elision.middle(other, 120))." + key(.editURL, "edits the URL", keys)
    }

    /// Of what is too large, for a setting or at all.
    private static func limit(_ limit: DownloadError.Limit?, _ keys: KeyMap?) -> String {
        guard let limit else { return "It is too large, and no setting is known that allows it." }
        guard let keys else { return "It is larger than a limit allows; raise the limit if you want it." }
        let retry = keys.phrase(.retry, "tries again").map { ", then \($0)" } ?? ""
        return "\(LimitCommand(raising: limit).text) raises the limit\(retry)."
    }

    /// ` r tries again.`, or nothing without a key.
    private static func key(_ action: KeyAction, _ words: String, _ keys: KeyMap?) -> String {
        keys?.phrase(action, words).map { " \($0)." } ?? ""
    }
}

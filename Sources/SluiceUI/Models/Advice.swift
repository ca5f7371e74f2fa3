internal import SluiceCore

/// What a person can do about a failure, in a sentence or two.
enum Advice {
    static func text(_ error: DownloadError) -> String {
        switch error.code {
        case .badURL: "Check the address: it must start with http:// or https:// and name a host."
        case .cancelled: "It was cancelled; add the URL again to start over."
        case .timedOut: "The server was silent for too long. r tries again; a longer timeout may help."
        case .hostNotFound: "Check the spelling of the host, and whether this machine has a network."
        case .cannotConnect: "The host refuses or does not answer. Check the port, or try later with r."
        case .connectionLost: "The server hung up. r tries again."
        case .tooManyRedirects: "The server sends in circles: open the URL in a browser to see where it ends."
        case .badStatus: status(error.status ?? 0)
        case .badResponse: "The answer breaks the rules of HTTP; only the server's owner can mend that."
        case .truncated: "The body ended early. r tries again."
        case .tlsUntrusted: "Nobody known vouches for this certificate. Trust its key only if you know whose it is."
        case .tlsFailed: "No secure connection came about; the server may speak only old versions of TLS."
        case .unacceptableContentType: "It is no image, and only images are accepted now."
        case .badImage: "It says it is an image and is none. What came is kept with the ending .bad: look at it."
        case .badChecksum: "What came is not what was announced; it is kept with the ending .bad."
        case .tooLarge: "It is larger than a limit allows; raise the limit if you want it."
        case .notCached: "Nothing is stored for it, and the policy forbids the network: choose another policy."
        case .previouslyFailed: "It failed for good a while ago. r tries it all the same."
        case .diskFull: "Make room on the disk; then Z lets the queue go on."
        case .ioError: "The file system refused. Check the permissions of the directory."
        case .unsupported: "Sluice does not speak this; another program may."
        }
    }

    private static func status(_ status: Int) -> String {
        switch status {
        case 401, 407: "The server wants a name and a password."
        case 403: "The server knows the address and refuses: perhaps it wants you to log in first."
        case 404, 410: "The address leads nowhere any more: check it, or look for where it went."
        case 408, 429: "The server asks for patience: fewer slots for this host, or r later."
        case 500...: "The server is in trouble, not you. r tries again later."
        default: "The server refused; its answer may say why."
        }
    }
}

internal import Glibc
internal import SluiceCore

/// Sees to it that the words of the command line, and the folders that the environment names, are text.
///
/// Read as text, bytes that are not UTF-8 become other characters, and a file would be another one without a word.
enum UTF8Check {
    /// Variables that name folders.
    private static let folders = ["HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"]

    /// - Throws: ``ExitStatus/usage`` after a message that shows the first word which is not UTF-8.
    static func run() throws {
        for number in stride(from: 1, to: Int(CommandLine.argc), by: 1) {
            // As the system gave them: `CommandLine.arguments` has other characters in place of such bytes. They live as
            // long as the process, and each ends with a zero.
            guard let bytes = unsafe broken(CommandLine.unsafeArgv[number]) else { continue }
            throw complain(
                "argument \(number) is not UTF-8: \(quoted(bytes)); give files and folders names in UTF-8, "
                    + "and write such a byte of a URL as in %E9"
            )
        }
        for name in folders {
            guard let bytes = unsafe broken(getenv(name)) else { continue }
            throw complain("\(name) is not UTF-8: \(quoted(bytes)); name a folder in UTF-8")
        }
    }

    /// The bytes of a word that is no text; `nil` for one that is, and for none.
    private static func broken(_ word: UnsafeMutablePointer<CChar>?) -> [UInt8]? {
        guard let word = unsafe word else { return nil }
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
        return String(validating: bytes, as: UTF8.self) == nil ? bytes : nil
    }

    /// A word as bash and zsh take it: `$'caf\xe9'`.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let parts = bytes.map { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
            }
        }
        return "$'\(VisibleText.visible(parts.joined()))'"
    }
}

internal import SluiceCore
internal import SluiceUI

/// `[keys]` of the configuration: other keys for the actions of the dashboard.
///
/// `abort = "f5"`, `pause = ["p", "space"]`, `order = []` for none; `[keys.prompt]` for editing the prompt.
enum KeySections {
    /// - Throws: For unknown actions, bad names of keys, and keys that would mean two things.
    static func read(_ file: ConfigurationFile) throws(ConfigurationError) -> KeyMap {
        var changes: [KeyChange] = []
        for entry in try file.table("keys") {
            if let table = entry.node.table {
                for inner in table.entries { changes.append(try change(inner, "\(entry.key).\(inner.key)", file)) }
            } else {
                changes.append(try change(entry, entry.key, file))
            }
        }
        do throws(KeyMapError) {
            return try KeyMap(changes)
        } catch {
            throw file.error(error.line, error.message.withVisibleControls)
        }
    }

    private static func change(
        _ entry: ConfigurationFile.Entry,
        _ action: String,
        _ file: ConfigurationFile
    ) throws(ConfigurationError) -> KeyChange {
        guard let keys = entry.node.strings ?? entry.node.string.map({ [$0] }) else {
            throw file.bad(entry, allowed: "the name of a key, or a list of them, such as [\"x\", \"f5\"]")
        }
        return KeyChange(action: action, keys: keys, line: entry.line)
    }
}

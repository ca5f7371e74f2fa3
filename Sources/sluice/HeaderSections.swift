internal import SluiceCore

/// The `[[headers]]` sections of a configuration file.
enum HeaderSections {
    private static let keys = ["host", "add", "replace", "remove"]
    /// What HTTP itself needs.
    private static let fixed: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]

    static func read(_ file: ConfigurationFile) throws(ConfigurationError) -> [HostRules.HeaderRule] {
        var rules: [HostRules.HeaderRule] = []
        for section in try file.tables("headers") {
            var rule = HostRules.HeaderRule(hosts: .all)
            var hasHost = false
            for entry in section.entries {
                switch entry.key {
                case "host":
                    let allowed = "a host such as \"site.example\", \"*.site.example\", \"site.example:8080\" or \"*\""
                    guard let hosts = entry.node.string.flatMap(HostPattern.init) else {
                        throw file.bad(entry, allowed: allowed)
                    }
                    (rule.hosts, hasHost) = (hosts, true)
                case "add": rule.added = try fields(entry, file)
                case "replace": rule.replaced = try fields(entry, file)
                case "remove":
                    guard let names = entry.node.strings else {
                        let allowed = "a list of header names, such as [\"User-Agent\"]"
                        throw file.bad(entry, allowed: allowed, isSecret: true)
                    }
                    if let name = names.first(where: { !isName($0) }) { throw file.error(entry.node.line, wrong(name)) }
                    rule.removed = names
                default: throw file.unknown(entry, allowed: keys)
                }
            }
            guard hasHost else { throw file.error(section.line, "[[headers]] needs host; \"*\" means every host") }
            rules.append(rule)
        }
        return rules
    }

    /// A table of names and values.
    private static func fields(
        _ entry: ConfigurationFile.Entry,
        _ file: ConfigurationFile
    ) throws(ConfigurationError) -> [HeaderField] {
        guard let table = entry.node.table else {
            throw file.bad(entry, allowed: "a table of headers, such as { X-Name = \"value\" }")
        }
        var fields: [HeaderField] = []
        for field in table.entries {
            guard isName(field.key) else {
                throw file.error(field.line, wrong(field.key))
            }
            if HeaderField(field.key, "").asksForPart {
                throw file.error(
                    field.line,
                    "\(field.key) asks for a part of one resource, or compares with it: give it by --header, beside its URL"
                )
            }
            guard let value = field.node.string, value == value.withVisibleControls else {
                throw file.bad(field, allowed: "a text without control characters", isSecret: true)
            }
            fields.append(HeaderField(field.key, value))
        }
        return fields
    }

    /// Without what stands behind a colon: whoever wrote a whole field there may have written a secret.
    private static func wrong(_ name: String) -> String {
        let shown = String(name.prefix { $0 != ":" }).withVisibleControls
        return "a header's name is letters, digits and -, and none that HTTP itself needs, not \(shown)"
    }

    private static func isName(_ text: String) -> Bool {
        text.isToken && !fixed.contains(text.lowercased())
    }
}

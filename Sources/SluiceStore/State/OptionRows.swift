import SluiceCore

/// The rows of the state file that hold options, headers and bodies among them, which many requests share.
///
/// Confined to the store's thread.
struct OptionRows {
    private let database: Database
    /// Rows that were written, by their fields.
    private var rows: [ExactText: Int] = [:]
    /// The same by identity, which nearly always is enough.
    private var known: [ObjectIdentifier: (options: RequestOptions, row: Int)] = [:]
    /// Bytes of the fields that are known.
    private var bytes = 0
    /// Rows that are written before it is worth a look which of all are still used.
    private var mostRows = leastRows
    /// Whether some were written since the unused ones were removed.
    private(set) var mayHaveUnused = false

    private static let leastRows = 256
    private static let mostBytes = 16_777_216

    init(_ database: Database) { self.database = database }

    /// Whether so many were written that those of ended requests may be a burden, in the file and here.
    var isLarge: Bool { rows.count >= mostRows || bytes >= Self.mostBytes }

    /// The options of all requests, by row; without those that are damaged.
    func read() throws(DatabaseError) -> [Int: RequestOptions] {
        var options: [Int: RequestOptions] = [:]
        try database.query("SELECT id, fields FROM options") { row throws(DatabaseError) in
            guard let fields = row.text(1), let read = OptionsText.options(fields) else { return }
            options[row.integer(0)] = read
        }
        return options
    }

    /// The row of options, made if missing.
    mutating func row(of options: RequestOptions) throws(DatabaseError) -> Int {
        if let known = known[ObjectIdentifier(options)] { return known.row }
        let fields = OptionsText.text(options)
        let row: Int
        if let written = rows[ExactText(fields)] {
            row = written
        } else {
            try database.run("INSERT OR IGNORE INTO options (fields) VALUES (?)", .text(fields))
            row = try database.integer("SELECT id FROM options WHERE fields = ?", .text(fields)) ?? 0
            rows[ExactText(fields)] = row
            bytes += fields.utf8.count
            mayHaveUnused = true
        }
        // The object is kept with it: else another could get its identity.
        if known.count < 10_000 { known[ObjectIdentifier(options)] = (options, row) }
        return row
    }

    /// Removes what no request has any more; to be called within a transaction.
    ///
    /// Only where no other session lives: it knows rows that it is about to use again.
    ///
    /// - Parameter lock: Of this session.
    /// - Throws: If the file can't be changed.
    mutating func removeUnused(lock: String) throws(DatabaseError) {
        // What waits for a session that saves files has no lock any more, and nobody uses it.
        let others = "SELECT 1 FROM session WHERE lock <> ? AND lock <> '' LIMIT 1"
        guard try database.integer(others, .text(lock)) == nil else {
            if isLarge { forget() }
            return
        }
        try database.run("DELETE FROM options WHERE id NOT IN (SELECT options FROM request)")
        // As many again must come, so that a long queue, each with its own, is not searched again and again.
        mostRows = max(Self.leastRows, try database.integer("SELECT count(*) FROM options") ?? 0)
        mayHaveUnused = false
        forget()
    }

    /// They are looked for in the file when they are needed next.
    private mutating func forget() { (rows, known, bytes) = ([:], [:], 0) }
}

internal import CSQLite

/// What a database lends: statements to itself, rows to who asks.
extension Database {
    /// A compiled statement; finalized by the database if kept, else by itself.
    ///
    /// Safe: the database that made it outlives it, and nothing else has the pointer.
    @safe final class Statement {
        let pointer: OpaquePointer
        let isKept: Bool
        var isInUse = true

        init(_ pointer: OpaquePointer, isKept: Bool) {
            unsafe (self.pointer, self.isKept) = unsafe (pointer, isKept)
        }

        func release() {
            guard isKept else {
                unsafe sqlite3_finalize(pointer)
                return
            }
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
            isInUse = false
        }

        func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
            // SQLite copies what it gets: the value need not outlive the call.
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            switch value {
            case .null:
                return unsafe sqlite3_bind_null(pointer, index)
            case .integer(let number):
                return unsafe sqlite3_bind_int64(pointer, index, number)
            case .text(let text):
                return unsafe sqlite3_bind_text(pointer, index, text, Int32(text.utf8.count), copies)
            case .blob(let bytes):
                if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
                return unsafe sqlite3_bind_blob64(pointer, index, bytes, UInt64(bytes.count), copies)
            }
        }
    }

    /// One row of an answer, lent to the closure that gets it.
    ///
    /// Columns count from 0. Safe: it can't be copied, so it can't outlive the statement's turn.
    @safe public struct Row: ~Copyable {
        private let statement: OpaquePointer

        init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

        /// Whether the column is `NULL`, which the other calls turn into a value.
        public func isNull(_ column: Int) -> Bool {
            unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
        }

        /// 0 for `NULL`.
        public func integer(_ column: Int) -> Int { Int(unsafe sqlite3_column_int64(statement, Int32(column))) }

        /// `nil` for `NULL`; invalid bytes are replaced.
        public func text(_ column: Int) -> String? {
            guard let start = unsafe sqlite3_column_text(statement, Int32(column)) else { return nil }
            let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
            return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        /// Empty for `NULL`.
        public func blob(_ column: Int) -> [UInt8] {
            guard let start = unsafe sqlite3_column_blob(statement, Int32(column)) else { return [] }
            let count = Int(unsafe sqlite3_column_bytes(statement, Int32(column)))
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        }
    }
}

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

        /// Texts and blobs that are bound, one behind the other.
        private var lent = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        /// Bytes up to which values are lent; more are copied, lest the memory stays with the statement.
        private static let mostLent = 65_536

        /// `SQLITE_TRANSIENT`, a cast macro: the value need not outlive the call.
        private static var copying: sqlite3_destructor_type? {
            unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
        }

        init(_ pointer: OpaquePointer, isKept: Bool) {
            unsafe (self.pointer, self.isKept) = unsafe (pointer, isKept)
        }

        deinit { unsafe lent.deallocate() }

        func release() {
            guard isKept else {
                unsafe sqlite3_finalize(pointer)
                return
            }
            unsafe sqlite3_reset(pointer)
            unsafe sqlite3_clear_bindings(pointer)
            isInUse = false
        }

        /// Binds the parameters, in their order, until ``release()``.
        ///
        /// - Returns: `SQLITE_OK`, or what the first one that could not be bound failed with.
        func bind(_ values: [DatabaseValue]) -> Int32 {
            let count = values.reduce(0) { $0 + $1.byteCount }
            if unsafe count > lent.count, count <= Self.mostLent {
                unsafe lent.deallocate()
                unsafe lent = .allocate(byteCount: count, alignment: 1)
            }
            var used = 0
            for (index, value) in values.enumerated() {
                let status = bind(value, at: Int32(index + 1), behind: &used)
                if status != SQLITE_OK { return status }
            }
            return SQLITE_OK
        }

        private func bind(_ value: DatabaseValue, at index: Int32, behind used: inout Int) -> Int32 {
            switch value {
            case .null:
                return unsafe sqlite3_bind_null(pointer, index)
            case .integer(let number):
                return unsafe sqlite3_bind_int64(pointer, index, number)
            case .text(let text):
                let bytes = text.utf8.span
                return unsafe bytes.withUnsafeBytes { bytes in
                    let (start, destructor) = unsafe lend(bytes, behind: &used)
                    // Without a place it would be `NULL`.
                    guard let text = unsafe start?.assumingMemoryBound(to: CChar.self) else {
                        return unsafe sqlite3_bind_text(pointer, index, "", 0, Self.copying)
                    }
                    return unsafe sqlite3_bind_text(pointer, index, text, Int32(bytes.count), destructor)
                }
            case .blob(let bytes):
                if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
                return unsafe bytes.withUnsafeBytes { bytes in
                    let (start, destructor) = unsafe lend(bytes, behind: &used)
                    return unsafe sqlite3_bind_blob64(pointer, index, start, UInt64(bytes.count), destructor)
                }
            }
        }

        /// Puts bytes where they stay until they are unbound, or has SQLite copy them.
        private func lend(
            _ bytes: UnsafeRawBufferPointer,
            behind used: inout Int
        ) -> (start: UnsafeRawPointer?, destructor: sqlite3_destructor_type?) {
            guard unsafe bytes.count <= lent.count - used, let start = unsafe lent.baseAddress else {
                return unsafe (bytes.baseAddress, Self.copying)
            }
            let place = unsafe start + used
            if let source = bytes.baseAddress { unsafe place.copyMemory(from: source, byteCount: bytes.count) }
            used += bytes.count
            return (UnsafeRawPointer(place), nil)
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

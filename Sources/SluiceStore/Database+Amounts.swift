/// Numbers that may have been changed on the disk, which SQLite does not notice: to count with such a one would trap.
extension Database {
    /// What times in milliseconds since 1970, numbers of bytes, and counts can be.
    static let amounts: ClosedRange<Int64> = 0...(1 << 53)
}

extension Database.Row {
    /// A time, a number of bytes or a count; `nil` for what none of them can be.
    func amount(_ column: Int) -> Int? {
        let number = integer(column)
        return Database.amounts.contains(Int64(number)) ? number : nil
    }

    /// The same where there is no row to refuse: the nearest number that can be.
    func nearestAmount(_ column: Int) -> Int {
        let amounts = Database.amounts
        return Int(min(max(Int64(integer(column)), amounts.lowerBound), amounts.upperBound))
    }
}

import SluiceCore

/// When a server asks to come back (RFC 9110 §10.2.3).
enum RetryAfter: Equatable {
    case seconds(Int)
    /// At a date, which curl turns into seconds from now.
    case date

    /// - Parameter value: The value of the field. What is no number of digits and no date asks for nothing.
    init?(_ value: Span<UInt8>) {
        var seconds = 0
        var isNumber = value.count > 0
        for index in value.indices {
            let digit = Int(value[index]) - 0x30
            guard 0...9 ~= digit else {
                isNumber = false
                break
            }
            // Longer than anybody waits is as good as for ever.
            let (product, isOver) = seconds.multipliedReportingOverflow(by: 10)
            seconds = isOver || product > .max - digit ? .max : product + digit
        }
        if isNumber {
            self = .seconds(seconds)
        } else if HTTPDate.isDate(value) {
            self = .date
        } else {
            return nil
        }
    }
}

/// What the values of a setting are, for who writes them for people.
///
/// It comes from the table of the settings, so that nobody else has to know one by its name.
package struct SettingKind: Equatable, Sendable {
    /// What a value counts or names.
    package enum Unit: Sendable {
        /// Whole numbers of something.
        case number
        /// Bytes.
        case size
        /// Bytes a second.
        case rate
        /// A time, with a fraction.
        case seconds
        /// Yes or no.
        case flag
        /// One of several words.
        case word
        /// Any number of words.
        case names
    }

    /// What 0 means.
    package enum Zero: Equatable, Sendable {
        /// A number like others.
        case itself
        /// It takes the limit away.
        case noLimit
        /// It brings the default back.
        case usual
        /// Nothing is kept; what that comes to is a clause, such as `none is remembered`.
        case nothing(String)
    }

    /// What a value counts or names.
    package let unit: Unit
    /// What 0 means, where numbers are taken.
    package let zero: Zero

    /// Whether a number without a unit means bytes, or bytes a second.
    package var isSize: Bool { unit == .size || unit == .rate }
}

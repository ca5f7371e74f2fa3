extension Duration {
    /// How many units of so many nanoseconds it is, rounded to the nearest; 0 for a negative one.
    ///
    /// Nothing is added before it is divided: a log may name the last time that can be counted.
    public func rounded(inUnitsOf unit: Int64) -> Int64 {
        let (units, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: unit)
        return rest >= unit - rest ? units + 1 : units
    }
}

/// How far one call of an unpacker came.
struct UnpackedStep: Equatable {
    /// Bytes read.
    var taken: Int
    /// Bytes written, from the start of the output.
    var given: Int
}

/// Undoes one coding, bit by bit.
protocol Unpacking: AnyObject {
    /// Whether what it unpacks may end here.
    var isAtEnd: Bool { get }

    /// Reads what it can.
    ///
    /// - Parameters:
    ///   - input: What comes next; may be empty where more output waits inside.
    ///   - output: Filled from its start, as far as the input reaches or it is full.
    /// - Returns: `nil` if the input is damaged, or follows an end.
    func unpack(_ input: Span<UInt8>, into output: inout [UInt8]) -> UnpackedStep?
}

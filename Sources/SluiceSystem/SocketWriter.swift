internal import Glibc

/// Sends bytes on a socket until all are sent, or none goes on its way.
///
/// A socket that is closed raises no signal.
package enum SocketWriter {
    /// How far it came.
    package enum Outcome: Sendable {
        case sent
        /// The socket takes nothing now; never of one that blocks and has no time limit.
        case wouldBlock
        /// The socket takes nothing more; `errno` says why.
        case gone
    }

    /// Sends bytes, and goes on where a signal came between.
    ///
    /// - Parameters:
    ///   - bytes: Those that the system took are taken off its front.
    ///   - descriptor: Of the socket.
    /// - Returns: `sent` once none is left, at once where there were none.
    package static func send(_ bytes: inout ArraySlice<UInt8>, to descriptor: Int32) -> Outcome {
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                return .wouldBlock
            } else if errno != EINTR {
                return .gone
            }
        }
        return .sent
    }
}

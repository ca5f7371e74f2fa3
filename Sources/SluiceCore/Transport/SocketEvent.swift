/// A socket that `epoll` found ready; `bits` are `EPOLL*`.
public struct SocketEvent: Sendable {
    /// Of the socket, as the transport gave it to the loop.
    public let descriptor: Int32
    /// `EPOLLIN`, `EPOLLOUT`, `EPOLLERR` and `EPOLLHUP`, as they came.
    public let bits: UInt32
    /// What one entry of `epoll_wait` says.
    public init(descriptor: Int32, bits: UInt32) { (self.descriptor, self.bits) = (descriptor, bits) }
}

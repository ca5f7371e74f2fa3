/// A socket that `epoll` found ready; `bits` are `EPOLL*`.
public struct SocketEvent: Sendable {
    public let descriptor: Int32
    public let bits: UInt32
    public init(descriptor: Int32, bits: UInt32) { (self.descriptor, self.bits) = (descriptor, bits) }
}

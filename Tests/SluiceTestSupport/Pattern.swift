/// The first bytes of a body of the origin's pattern, which differ from block to block since their period is a prime.
public func pattern(_ count: Int) -> [UInt8] {
    let period = Array(UInt8(0)..<251)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + period.count)
    while bytes.count < count { bytes += period }
    bytes.removeLast(bytes.count - count)
    return bytes
}

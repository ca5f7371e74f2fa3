internal import CCurl
internal import Glibc

// What curl calls while it works for a transfer, whose address is the context. None of them calls curl in return, but to
// pause. What is called for each line and piece counts no reference: the transport holds the transfer meanwhile.

/// Called by curl for the socket of each new connection, which it makes as curl would.
///
/// Why there is none is known here only: curl says of every cause that it could not connect.
func socketWanted(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context = unsafe context, let address = unsafe address?.pointee else { return CURL_SOCKET_BAD }
    let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, address.protocol)
    if descriptor < 0, errno == EMFILE || errno == ENFILE {
        unsafe Unmanaged<CurlTransfer>.fromOpaque(context)
            ._withUnsafeGuaranteedRef { $0.run.exchange.lacksDescriptors = true }
    }
    return descriptor
}

/// Called by curl before each handshake.
func connectionPrepared(
    _ handle: UnsafeMutableRawPointer?,
    _ connection: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let connection = unsafe connection, let context = unsafe context else { return CURLE_SSL_CONNECT_ERROR }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    return unsafe transfer.prepareHandshake(OpaquePointer(connection))
}

/// Called by curl when it has a connection, new or kept, and is about to send the request.
func requestPrepared(
    _ context: UnsafeMutableRawPointer?,
    _ address: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?,
    _ port: Int32,
    _ localPort: Int32
) -> Int32 {
    guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
    let maySend = unsafe Unmanaged<CurlTransfer>.fromOpaque(context)
        ._withUnsafeGuaranteedRef { $0.maySend(fromPort: Int(localPort)) }
    return maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

func bodyArrived(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe Unmanaged<CurlTransfer>.fromOpaque(context)._withUnsafeGuaranteedRef { unsafe $0.receiveBody(piece) }
}

func headerArrived(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context = unsafe context else { return 0 }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    let goesOn = unsafe Unmanaged<CurlTransfer>.fromOpaque(context)
        ._withUnsafeGuaranteedRef { unsafe $0.receiveHeader(line) }
    return goesOn ? line.count : 0
}

func curlTold(
    _ handle: UnsafeMutableRawPointer?,
    _ kind: curl_infotype,
    _ text: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_TEXT, let context = unsafe context else { return 0 }
    let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    unsafe transfer.hear(UnsafeRawBufferPointer(start: text, count: count))
    return 0
}

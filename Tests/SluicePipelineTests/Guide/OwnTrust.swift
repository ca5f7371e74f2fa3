import SluiceCore
import SluicePipeline

/// Trusts hosts by an authority of their own and a pinned key, and shows them who asks.
func ownTrust(
    _ hosts: HostPattern,
    authority: [UInt8],
    pin: String,
    client: [UInt8]
) throws(TrustError) -> TrustBook {
    var policy = TrustPolicy()
    policy.authorities = try PEMFile.certificates(authority, path: "authority.pem")
    policy.pinning = .publicKey
    policy.pins = [try TrustPin.hash(pin)]
    let key = try PEMFile.privateKey(client, path: "client.pem")
    policy.client = ClientIdentity(
        chain: try PEMFile.certificates(client, path: "client.pem"),
        key: key.key,
        keyPlace: key.place,
        isForNamedHosts: true
    )
    return TrustBook(entries: [TrustBook.Entry(hosts, policy)])
}

/// One more key, for requests to come.
func addPin(_ pin: String, of hosts: HostPattern, to pipeline: ImagePipeline) throws(TrustError) {
    let pin = try TrustPin.hash(pin)
    pipeline.ask(.changeTrust(.pin(hosts, [pin]))) { reply in
        if case .trustRefused(let error) = reply.answer { print(error.message) }
    }
}

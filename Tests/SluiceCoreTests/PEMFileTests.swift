import SluiceCore
import Testing

struct PEMFileTests {
    private let good = "-----BEGIN CERTIFICATE-----\nU2x1\naWNl\n-----END CERTIFICATE-----\n"

    @Test func everyCertificateIsFoundWithItsLine() throws {
        let file = try PEMFile.certificates(Array(("# mine\n" + good + "between\r\n" + good).utf8), path: "pins.pem")

        #expect(file.certificates.map(\.place) == ["pins.pem:2", "pins.pem:7"])
        #expect(file.certificates.map(\.bytes) == [Array("Sluice".utf8), Array("Sluice".utf8)])
    }

    @Test func bytesThatAreNoTextAreTakenAsDER() throws {
        let der: [UInt8] = [0x30, 0x82, 0, 1, 5]
        #expect(try PEMFile.certificates(der, path: "a.der").certificates.map(\.bytes) == [der])
    }

    /// Both length forms; nothing says there whom it is trusted for.
    @Test(arguments: ["MAEF", "MIEBBQ==", "MIIAAQU="]) func aTrustedCertificateMayBeOneAlone(base64: String) throws {
        let text = "-----BEGIN TRUSTED CERTIFICATE-----\n\(base64)\n-----END TRUSTED CERTIFICATE-----\n"
        #expect(try PEMFile.certificates(Array(text.utf8), path: "f").certificates.count == 1)
    }

    @Test(arguments: [
        ("", "f:1: the file is empty"),
        ("hello\n", "f:1: no certificate"),
        ("-----BEGIN CERTIFICATE-----\nU2x1\n", "f:1: the CERTIFICATE has no end"),
        ("x\n-----BEGIN CERTIFICATE-----\nU2x1\naW\u{7}l\n-----END CERTIFICATE-----\n", "f:4: '"),
        ("-----BEGIN CERTIFICATE-----\nU2x\n-----END CERTIFICATE-----\n", "f:1: the CERTIFICATE is cut short"),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "f:1: the CERTIFICATE is cut short"),
        ("-----BEGIN CERTIFICATE-----\nU2x1\n-----END PRIVATE KEY-----\n", "f:3: PRIVATE KEY ends"),
        ("-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n", "f:2: a block begins within"),
        ("-----END CERTIFICATE-----\n", "f:1: a block ends"),
        ("-----BEGIN TRUSTED CERTIFICATE-----\nMAEFMAA=\n-----END TRUSTED CERTIFICATE-----\n", "f:1: the cert"),
        ("-----BEGIN PRIVATE KEY-----\nU2x1\n-----END PRIVATE KEY-----\n", "f:1: no certificate"),
    ])
    func aDamagedFileIsNamedWithItsLine(text: String, complaint: String) {
        let error = #expect(throws: TrustError.self) { try PEMFile.certificates(Array(text.utf8), path: "f") }
        #expect(error?.message.hasPrefix(complaint) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("", "k:1: the file is empty"),
        ("-----BEGIN CERTIFICATE-----\nU2x1\n-----END CERTIFICATE-----\n", "k:1: no private key"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nU2x1\n-----END ENCRYPTED PRIVATE KEY-----\n", "k:1: the key is encr"),
        (
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\nU2x1\n-----END EC PRIVATE KEY-----\n",
            "k:1: the key is encrypted"
        ),
    ])
    func aKeyThatCantBeUsedIsNamed(text: String, complaint: String) {
        let error = #expect(throws: TrustError.self) { try PEMFile.privateKey(Array(text.utf8), path: "k") }
        #expect(error?.message.hasPrefix(complaint) == true, "\(error?.message ?? "")")
    }
}

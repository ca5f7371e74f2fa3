import SluiceCore
import SluiceOrigin
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OriginEncodingTests {
    private func encoded(_ body: OriginResponse.Body, _ encoding: OriginResponse.Encoding) throws -> [UInt8] {
        let origin = try Origin()
        var response = OriginResponse(body: body)
        response.encoding = encoding
        origin.route("/a", response)
        let answer = try RawClient(origin).get("/a")
        #expect(answer.field("content-encoding") == encoding.rawValue)
        return answer.body
    }

    @Test(arguments: [0, 1, 2, 258, 259, 260, 517, 775, 1033, 2000, 70_000]) func zerosShrinkAndComeBack(
        count: Int
    ) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(try Inflater.gunzip(try encoded(.zeros(count: count), .gzip)) == zeros)
        #expect(try Inflater.unzlib(try encoded(.zeros(count: count), .deflate)) == zeros)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 140_000]) func otherBytesComeBack(count: Int) throws {
        let pattern = (0..<count).map { OriginPattern.byte(at: $0) }
        #expect(try Inflater.gunzip(try encoded(.pattern(count: count), .gzip)) == pattern)
        #expect(try Inflater.unzlib(try encoded(.bytes(pattern), .deflate)) == pattern)
    }

    @Test func aGibibyteOfZerosIsAMebibyteOfGzip() throws {
        let body = try encoded(.zeros(count: 1 << 30), .gzip)
        #expect(body.count < 1_050_000)
        #expect(Array(body.suffix(4)) == [0, 0, 0, 0x40], "its length before encoding")
    }
}

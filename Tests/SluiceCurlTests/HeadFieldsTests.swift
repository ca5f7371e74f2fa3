import SluiceCore
import Testing

@testable import SluiceCurl

/// Heads as they come, line by line.
struct HeadFieldsTests {
    @Test func namesAreReadWhateverTheirCase() throws {
        let fields = read([
            "HTTP/1.1 200 OK", "CONTENT-TYPE: a/b", "content-length:5", "Content-Encoding: \tgzip ", "LOCATION: /x",
            "retry-after: 1", "WWW-Authenticate: digest", "Content-Disposition: inline",
            "last-modified: Thu, 01 Jan 1970 00:00:09 GMT",
        ])
        #expect(fields.contentType == "a/b")
        #expect(try fields.expected() == 5)
        #expect(fields.isEncoded)
        #expect(fields.location == "/x")
        #expect(fields.retryAfter == .seconds(1))
        #expect(fields.offersDigest)
        #expect(fields.contentDisposition == "inline")
        #expect(fields.lastModified == 9)
        #expect(fields.all.count == 8)
    }

    @Test func aStatusLineStartsANewHead() {
        let fields = read(["HTTP/1.1 103 Early Hints", "Content-Type: a/b", "HTTP/1.1 200 OK", "X: 1"])
        #expect(fields.contentType == nil)
        #expect(fields.all == [HeaderField("X", "1")])
    }

    /// A field may have a name that begins like one.
    @Test(arguments: [
        ("HTTP/x: y", false), ("HTTP/1.1: 200 OK", false), ("HTTP/", true), ("HTTP/2 200", true), ("HTTP/1.1", true),
    ])
    func aFieldIsNoStatusLine(line: String, isStatus: Bool) throws {
        let fields = read(["HTTP/1.1 200 OK", "Content-Length: 5", line])
        #expect(try fields.expected() == (isStatus ? nil : 5))
    }

    /// - SeeAlso: RFC 9112 §5.1
    @Test func aBlankBeforeAColonMattersWhereTheBodyEnds() {
        let fields = read(["HTTP/1.1 200 OK", "Content-Encoding : gzip", "Content-Type\t: a/b"])
        #expect(fields.codings == ["gzip"] && fields.contentType == "a/b")
        for line in ["Content-Length : 5", "transfer-encoding\t: chunked"] {
            #expect(throws: DownloadError.self) { try read(["HTTP/1.1 200 OK", line]).expected() }
        }
    }

    @Test func theFirstOfSeveralFieldsCounts() {
        let fields = read(["Content-Type: a/b", "Content-Type: c/d", "Location: /1", "Location: /2"])
        #expect(fields.contentType == "a/b")
        #expect(fields.location == "/1")
    }

    @Test(arguments: [
        ("Content-Range: bytes 3-4/5", true), ("Content-Range: bytes 2-4/5", false), ("ETag: \"b\"", true),
        ("ETag: \"a\"", false), ("ETag: W/\"a\"", true),
    ])
    func aPartThatSaysTwoThingsContinuesNothing(line: String, isAmbiguous: Bool) throws {
        var fields = read(["HTTP/1.1 206 Partial Content", "Content-Range: bytes 2-4/5", "ETag: \"a\"", line])
        var content = ResponseHead.Content(status: 206, finalURL: "http://a/")
        try fields.fill(&content)
        let head = ResponseHead(content)
        let part = RangeResume.Part(validator: .entityTag("\"a\""), total: 5, length: 2)
        let decision = RangeResume(part).judge(head)
        if isAmbiguous {
            guard case .askAgain = decision else {
                Issue.record("\(decision)")
                return
            }
            #expect(line.hasPrefix("C") || EntityValidator(head) == nil, "nor would another be continued by it")
        } else {
            #expect(decision == .append(total: 5))
        }
    }

    @Test(arguments: ["", ":", ": x", "no colon", " folded: x\u{0}", "Content Length: 5"])
    func oddLinesChangeNothingThatMatters(line: String) throws {
        let fields = read([line])
        #expect(try fields.expected() == nil)
        #expect(fields.contentType == nil)
    }

    @Test func chunksHaveTheirOwnEnd() throws {
        #expect(try read(["Content-Length: 5", "Transfer-Encoding: chunked"]).expected() == nil)
        #expect(throws: DownloadError.self) {
            try read(["Content-Length: 5", "Content-Length: 6", "Transfer-Encoding: chunked"]).expected()
        }
    }

    @Test(arguments: [
        ("identity", true), ("IDENTITY", true), ("", true), (" , ", true), ("chunked", false), ("x", false),
    ])
    func aTransferCodingThatIsNoneLeavesTheLength(coding: String, isNone: Bool) throws {
        let fields = read(["Transfer-Encoding: \(coding)", "Content-Length: 5"])
        #expect(try fields.expected() == (isNone ? 5 : nil) && fields.passesOverLength == isNone)
        #expect(read(["Transfer-Encoding: \(coding)"]).passesOverLength == false)
        #expect(read(["Transfer-Encoding: \(coding)"]).endsWithConnection == isNone)
    }

    @Test(arguments: [["5", "5"], ["5, 5"], ["5", "5,5", "5"]]) func equalLengthsAgree(values: [String]) throws {
        #expect(try read(values.map { "Content-Length: \($0)" }).expected() == 5)
    }

    @Test(arguments: [["5", "6"], ["x"], ["5", "x"], ["x", "5"], ["5,6"], ["-5"], [""]])
    func otherLengthsDoNot(values: [String]) {
        let fields = read(values.map { "Content-Length: \($0)" })
        #expect(throws: DownloadError.self) { try fields.expected() }
    }

    @Test(arguments: [("identity", false), ("", false), ("br", true), ("gzip, br", true)])
    func onlyEncodingsThatDoSomethingCount(value: String, isEncoded: Bool) {
        #expect(read(["Content-Encoding: \(value)"]).isEncoded == isEncoded)
    }

    @Test func invalidBytesAreReplaced() {
        var fields = HeadFields()
        var recent = RecentFields()
        fields.add(([UInt8]("X: a".utf8) + [0xFF, 13, 10]).span, wantsAll: true, recent: &recent)
        #expect(fields.all == [HeaderField("X", "a\u{FFFD}")])
    }

    @Test(
        arguments: [
            ([0xE9], "%E9"), ([0xC3, 0xA9], "é"), ([0xE2, 0x82], "%E2%82"), ([0xC3, 0xA9, 0xFF], "é%FF"),
            ([0xC0, 0x80], "%C0%80"), ([0xFF, 0x41, 0xE9], "%FFA%E9"),
        ] as [([UInt8], String)]
    )
    func aPlaceKeepsItsBytes(bytes: [UInt8], text: String) {
        var fields = HeadFields()
        var recent = RecentFields()
        let line = Array("Location: /caf".utf8) + bytes + Array(".jpg\r\n".utf8)
        fields.add(line.span, wantsAll: false, recent: &recent)
        #expect(fields.location == "/caf\(text).jpg")
    }

    /// Heads that follow one another are what each says, whatever they share.
    @Test func aHeadIsReadTheSameAfterOthers() {
        let long = "X: " + String(repeating: "x", count: 300)
        let many = (0..<40).map { "X-\($0): \($0)" }
        let heads = [
            ["A: 1", "B: 2", "C: 3"], ["A: 1", "B: 22", "C: 3"], ["A: 1"], ["B: 22", "A: 1", "C:3", "D: 4"],
            [long, "A: 1"], ["A: 1", long, "B: 2"], [long + "y", "A: 1"], many, many.reversed(),
            ["a: 1", "B: 2", "C: 3 "],
            ["ETag: a", "Content-Length: 1", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
            ["ETag: a", "Content-Length: 2", "Date: Sun, 06 Nov 1994 08:49:38 GMT"],
            ["ETag: a", "Content-Length: 2", "Content-Length: 2", "Content-Length: 3"],
            ["Content-Encoding: br", "Content-Encoding: gzip", "Transfer-Encoding: chunked, gzip"],
            ["Transfer-Encoding: chunked", "Set-Cookie: a=b", "Content-Type: text/html", "Location: /"],
        ]
        var recent = RecentFields()
        for first in heads {
            for second in heads {
                for head in [first, second] { #expect(facts(read(head, &recent)) == facts(read(head))) }
            }
        }
    }

    /// All that a head says, as text.
    @Test func onlyBlanksAroundAValueGo() {
        let fields = read(["X: \t \u{1B}[2J a \u{7} \t"])
        #expect(fields.all == [HeaderField("X", "\u{1B}[2J a \u{7}")])
    }

    private func facts(_ head: HeadFields) -> [String] {
        var facts = head.all.map { "\($0.name): \($0.value)" } + head.codings + ["\(head.isEncoded) \(head.setsCookie)"]
        facts += [head.contentType, head.entityTag, head.location].map { $0 ?? "none" }
        facts += [head.date, head.lastModified].map { "\($0 ?? -1)" }
        return facts + ["\(Result { try head.expected() })"]
    }

    private func read(_ lines: [String]) -> HeadFields {
        var recent = RecentFields()
        return read(lines, &recent)
    }

    private func read(_ lines: [String], _ recent: inout RecentFields) -> HeadFields {
        var fields = HeadFields()
        for line in lines { fields.add(Array("\(line)\r\n".utf8).span, wantsAll: true, recent: &recent) }
        return fields
    }
}

import SluiceCore
import Testing

struct RangeResumeTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let plan = RangeResume(.init(validator: .entityTag("\"v1\""), total: 1_000, length: 400))

    private func head(
        _ status: Int,
        range: String? = nil,
        tag: String? = "\"v1\"",
        expected: Int? = nil,
        isEncoded: Bool = false
    ) -> ResponseHead {
        var head = ResponseHead(status: status, finalURL: "http://site.example/a")
        (head.contentRange, head.entityTag, head.expected, head.isEncoded) = (range, tag, expected, isEncoded)
        return head
    }

    private func asksAgain(_ head: ResponseHead) -> Bool {
        if case .askAgain = plan.judge(head) { true } else { false }
    }

    /// A server may send less than it was asked for.
    @Test func aWholeOfUnknownLengthIsAskedForAnew() {
        let plan = RangeResume(RangeResume.Part(validator: .entityTag("\"a\""), total: nil, length: 400))
        var head = ResponseHead(status: 206, finalURL: "http://h/a")
        (head.contentRange, head.entityTag, head.expected) = ("bytes 400-499/*", "\"a\"", 100)
        guard case .askAgain = plan.judge(head) else {
            Issue.record("nobody knows whether that is all of it")
            return
        }
        head.contentRange = "bytes 400-499/500"
        #expect(plan.judge(head) == .append(total: 500))
    }

    @Test(arguments: [
        ("", true), ("http://site.example/a", true), ("http://site.example/a?sign=1", true),
        ("http://site.example/b", false), ("https://site.example/a", false), ("http://other.example/a", false),
    ])
    func aValidatorIsOfOneResource(source: String, isAppended: Bool) {
        let part = RangeResume.Part(validator: .entityTag("\"v1\""), total: 1_000, length: 400, source: source)
        let decision = RangeResume(part).judge(head(206, range: "bytes 400-999/1000"))
        #expect((decision == .append(total: 1_000)) == isAppended)
        // Nor does another resource of that length say that it is all of it.
        let whole = RangeResume.Part(validator: .entityTag("\"v1\""), total: nil, length: 400, source: source)
        #expect((RangeResume(whole).judge(head(416, range: "bytes */400")) == .complete) == isAppended)
    }

    /// Servers compare tags byte by byte.
    @Test(arguments: [("\"\u{E9}\"", "\"e\u{301}\""), ("\"\u{212A}\"", "\"K\""), ("\"\u{212B}\"", "\"\u{C5}\"")])
    func tagsThatLookTheSameAreOfTwoVersions(first: String, second: String) {
        let plan = RangeResume(RangeResume.Part(validator: .entityTag(first), total: 1_000, length: 400))
        #expect(plan.judge(head(206, range: "bytes 400-999/1000", tag: first)) == .append(total: 1_000))
        guard case .askAgain = plan.judge(head(206, range: "bytes 400-999/1000", tag: second)) else {
            Issue.record("two versions would be one file")
            return
        }
        #expect(EntityValidator.entityTag(first) != EntityValidator.entityTag(second))
    }

    /// What stands for bytes that are no UTF-8 is no sign of what they were.
    @Test func aTagOfOtherBytesProvesNothing() {
        #expect(EntityValidator(head(200, tag: "\"v\u{FFFD}\"")) == nil)
        #expect(EntityValidator(head(200, tag: "\"v\u{E9}\"")) != nil)
    }

    @Test func itAsksForTheRestOfTheSameVersion() {
        #expect(plan.headers == [HeaderField("Range", "bytes=400-"), HeaderField("If-Range", "\"v1\"")])
    }

    @Test(arguments: ["bytes 400-999/1000", "bytes 400-999/*", "Bytes  400-999/1000"])
    func theRestOfTheSameVersionIsAppended(range: String) {
        #expect(plan.judge(head(206, range: range, expected: 600)) == .append(total: 1_000))
    }

    @Test func aShorterPartIsAppendedToo() {
        #expect(plan.judge(head(206, range: "bytes 400-499/1000", expected: 100)) == .append(total: 1_000))
    }

    @Test(arguments: [
        nil, "", "bytes 0-999/1000", "bytes 399-999/1000", "bytes 401-999/1000", "bytes 400-999/1001",
        "bytes 400-1000/1001", "bytes 400-1000/*", "bytes */1000", "bytes 400-999", "items 400-999/1000",
        "bytes 999-400/1000", "bytes 400-999/999", "bytes=400-999/1000", "bytes 400-999/1000, bytes 0-1/1000",
        "bytes 4e2-999/1000", "bytes +400-999/1000", "bytes 400-99999999999999999999/*",
    ])
    func aPartThatDoesNotFitIsAskedForAgain(range: String?) {
        #expect(asksAgain(head(206, range: range)))
    }

    @Test func aPartOfAnotherVersionIsAskedForAgain() {
        for tag in [nil, "\"v2\"", "W/\"v1\"", "v1"] {
            #expect(asksAgain(head(206, range: "bytes 400-999/1000", tag: tag)))
        }
    }

    @Test func aPartThatContradictsItselfIsAskedForAgain() {
        #expect(asksAgain(head(206, range: "bytes 400-999/1000", expected: 601)))
        #expect(asksAgain(head(206, range: "bytes 400-999/1000", isEncoded: true)))
    }

    @Test func aWholeAnswerStartsOver() {
        #expect(plan.judge(head(200, tag: "\"v2\"")) == .startOver)
        #expect(plan.judge(head(200)) == .startOver)
    }

    @Test func anErrorPageSaysNothingOfThePart() {
        for status in [400, 401, 403, 404, 429, 500, 503] { #expect(plan.judge(head(status)) == .unrelated) }
        for status in [412, 501] { #expect(asksAgain(head(status)), "\(status) refuses the range, and nothing else") }
        for status in [204, 205, 304] { #expect(asksAgain(head(status)), "\(status) has no body") }
    }

    @Test func aRefusedRangeIsTheEndOnlyOfTheSameVersionAndLength() {
        #expect(asksAgain(head(416, range: "bytes */1000")))
        let whole = RangeResume(.init(validator: .entityTag("\"v1\""), total: nil, length: 400))
        #expect(whole.judge(head(416, range: "bytes */400")) == .complete)
        for other in [head(416), head(416, range: "bytes */401"), head(416, range: "bytes */400", tag: nil)] {
            if case .askAgain = whole.judge(other) { continue }
            Issue.record("\(other) is no end")
        }
    }

    @Test func onlyStrongValidatorsCount() {
        #expect(EntityValidator(head(200)) == .entityTag("\"v1\""))
        #expect(EntityValidator(head(200, tag: "\"\"")) == .entityTag("\"\""))
        for tag in ["W/\"v1\"", "v1", "\"", "\"a\"b\"", "\"a b\"", ""] {
            #expect(EntityValidator(head(200, tag: tag)) == nil)
        }
    }

    @Test(arguments: [(0, false), (1, true), (3_600, true), (-1, false)])
    func aDateIsStrongOnceItsSecondIsOver(age: Int, isStrong: Bool) {
        var answer = head(200, tag: nil)
        (answer.lastModified, answer.lastModifiedText) = (784_111_777, Self.date)
        #expect(EntityValidator(answer) == nil, "without a date of the answer nobody knows")
        answer.date = 784_111_777 + age
        #expect(EntityValidator(answer) == (isStrong ? .lastModified(Self.date) : nil))
        answer.entityTag = "W/\"v1\""
        #expect(EntityValidator(answer) == nil, "a weak tag forbids the date")
    }
}

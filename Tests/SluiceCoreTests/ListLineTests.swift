import SluiceCore
import Testing

struct ListLineTests {
    @Test(arguments: [
        ("http://h/l1 # note", "http://h/l1"), ("http://h/l1\t# note", "http://h/l1"),
        (" http://h/l1 \r", "http://h/l1"),
        ("http://h/l1 #", "http://h/l1"), ("http://h/l1 #one #two", "http://h/l1"),
        ("http://h/l1#part", "http://h/l1#part"), ("http://h/l1#part # note", "http://h/l1#part"),
        ("http://h/a b", "http://h/a b"), ("# head", ""), ("  # head", ""), ("#", ""), ("", ""), (" \t", ""),
    ])
    func aCommentStandsBehindABlank(line: String, content: String) {
        let bytes = Array("x\n".utf8) + Array(line.utf8)
        #expect(String(decoding: ListLine.content(of: bytes[2...]), as: UTF8.self) == content)
    }
}

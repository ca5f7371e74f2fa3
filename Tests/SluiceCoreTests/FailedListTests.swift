import SluiceCore
import Testing

struct FailedListTests {
    private let gone = DownloadError(.badStatus, "410", status: 410)
    private let broken = DownloadError(.badImage, "broken")

    @Test func entryEndsWithItsTime() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        #expect(list.entry(for: key(1), now: at(9))?.error == gone)
        #expect(list.entry(for: key(1), now: at(9))?.until == at(10))
        #expect(list.entry(for: key(1), now: at(10)) == nil)
        #expect(list.entry(for: key(2), now: at(0)) == nil)

        list.expire(now: at(9))
        #expect(list.count == 1)
        list.expire(now: at(10))
        #expect(list.count == 0)
    }

    @Test func laterFailureLastsLonger() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        list.insert(key(1), broken, until: at(20))
        list.expire(now: at(15))
        #expect(list.entry(for: key(1), now: at(15))?.error == broken)
        list.expire(now: at(25))
        #expect(list.count == 0)
    }

    @Test func removedAndCuredKeysAreForgotten() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(10))
        list.insert(key(2), broken, until: at(10))
        list.insert(key(3), gone, until: at(10))
        #expect(list.remove(key(1)) == true)
        #expect(list.remove(key(1)) == false)
        list.clear { $0.code == .badImage }
        #expect(list.entry(for: key(2), now: at(0)) == nil)
        #expect(list.count == 1)
    }

    @Test func allKeysOfAURLAreForgottenTogether() {
        var list = FailedList()
        let other = MergeKey(url: "http://h/1", headers: [HeaderField("X-Way", "other")])
        list.insert(key(1), gone, until: at(10))
        list.insert(other, broken, until: at(10))
        list.insert(key(2), gone, until: at(10))
        #expect(Set(list.remove(url: "http://h/1")) == [key(1).text, other.text])
        #expect(list.remove(url: "http://h/1") == [])
        #expect(list.newest(atMost: 9).map(\.key) == [key(2).text])
        list.insert(key(1), gone, until: at(30))
        #expect(Set(list.removeAll()) == [key(1).text, key(2).text])
        #expect(list.count == 0 && list.removeAll() == [])
    }

    @Test func theNewestAreFoundAmongManyThatAreForgotten() {
        var list = FailedList()
        for number in 1...1_000 { list.insert(key(number), gone, until: at(Int64(number))) }
        for number in 1...999 where number != 500 { list.remove(key(number)) }
        for number in 1...300 { list.insert(key(7), broken, until: at(Int64(1_000 + number))) }
        #expect(list.newest(atMost: 9).map(\.key) == [7, 1_000, 500].map { key($0).text })
        list.expire(now: at(500))
        #expect(list.newest(atMost: 1).map(\.entry.until) == [at(1_300)])
        #expect(list.count == 2)
    }

    @Test func anotherTimeHoldsForWhatIsRememberedToo() {
        var list = FailedList()
        list.insert(key(1), gone, until: at(600), circumstances: "mark")
        list.insert(key(2), broken, until: at(610))
        list.extend(by: .seconds(-595))
        #expect(list.entry(for: key(1), now: at(4))?.until == at(5))
        #expect(list.entry(for: key(1), now: at(4))?.circumstances == "mark")
        #expect(list.entry(for: key(1), now: at(5)) == nil)
        list.expire(now: at(5))
        #expect(list.newest(atMost: 9).map(\.key) == [key(2).text])
        list.extend(by: .seconds(85))
        list.expire(now: at(99))
        #expect(list.entry(for: key(2), now: at(99))?.until == at(100))
        list.expire(now: at(100))
        #expect(list.count == 0)
    }

    private func key(_ number: Int) -> MergeKey { MergeKey(url: "http://h/\(number)") }
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }
}

import SluiceCore
import Testing

@testable import SluiceUI

/// What is said of what a key did, or would do: how it stands now, and not only that something changed.
struct AnswerWordsTests {
    @Test func aReversedListSaysWhatComesFirst() {
        var driver = Driver(.full, 80, 24)
        func said(_ keys: String) -> String? {
            _ = driver.press(keys)
            return driver.dashboard.state.message?.text
        }
        #expect(said("S") == "newest first")
        #expect(said("S") == "oldest first")
        _ = said("ss")
        #expect(said("S") == "smallest first")
        _ = said("sn")
        #expect(said("S") == "A first")
        #expect(said("8S") == "oldest first", "the newest stands above, as it comes")
    }

    @Test func everyOrderHasWordsForBothWays() {
        for panel in [Panel.active, .finished] {
            for sort in RowSort.choices(for: panel) {
                let (one, other) = (sort.first(in: panel, isReversed: false), sort.first(in: panel, isReversed: true))
                #expect(one != other && one.hasSuffix(" first") && other.hasSuffix(" first"), "\(sort)")
            }
        }
    }

    /// It was asked about with a warning; an answer that sounds like success would take that back.
    @Test func aPinThatDoesNotHelpIsNoSuccess() {
        var draft = PinDraft(host: "img.nasa.example", pins: [])
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.pinned(draft))
        #expect(driver.dashboard.state.message?.role == .ok)
        let reason = "the certificate is signed by itself and by no authority"
        draft.warning = PinWarning(reason: reason, help: nil)
        _ = driver.send(.pinned(draft))
        #expect(driver.dashboard.state.message?.role == .wait)
        #expect(driver.text.contains("pinned; still refused: \(reason)"), "\(driver.text)")
    }

    @Test(arguments: [
        (["a"], "25 URLs: add them? · a.example  "), (["a", "b"], "25 URLs: add them? · a.example and 1 more host  "),
        (["a", "b", "c"], "25 URLs: add them? · a.example and 2 more hosts  "),
    ])
    func whoseURLsWerePastedIsSaid(hosts: [String], words: String) {
        let urls = (0..<25).map { "https://\(hosts[$0 % hosts.count]).example/\($0)" }
        var driver = Driver(.full, 120, 36)
        _ = driver.send(.paste(urls.joined(separator: "\n")))
        #expect(driver.text.contains(words), "\(driver.text)")
    }

    @Test func hostsOfAPasteShowNoPasswords() {
        var found = PastedURLs()
        found.urls = ["https://me:secret@b.example:8443/1", "https://a.example/2", "https://b.example:8443/3"]
        found.countHosts()
        #expect(found.firstHost == "b.example:8443" && found.otherHosts == 1)
    }
}

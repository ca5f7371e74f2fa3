import SluiceCore
import Testing

@testable import SluiceUI

/// What Tab offers at the prompt.
struct CompletionTests {
    private func candidates(_ text: String, hosts: [String] = []) -> [String]? {
        let characters = Array(text)
        guard let (_, source) = Completion.wanted(characters, cursor: characters.count, hosts: hosts) else {
            return nil
        }
        switch source {
        case .words(let words): return words
        case .folder(let path, let prefix): return ["\(path)|\(prefix)"]
        }
    }

    @Test func whatCanStandThereIsOffered() {
        #expect(candidates(":ord") == ["order"])
        #expect(candidates(":order ") == ["fifo", "lifo"])
        #expect(candidates(":set cacheP") == ["cachePreferred"])
        #expect(candidates(":set order l") == ["lifo"])
        #expect(candidates(":pause ") == ["all"])
        #expect(candidates(":import ~/pic") == ["~/|pic"] && candidates(":import @~/pic") == ["~/|pic"])
        #expect(candidates("@/a/b c/d") == ["/a/b c/|d"])
        #expect(candidates("https://a.example/1 @li") == ["|li"])
        #expect(candidates(":purge x") == nil)
        let hosts = ["https://img.example", "https://cdn.example", "http://old.example:8080"]
        #expect(candidates("im", hosts: hosts) == ["https://img.example/"])
        #expect(candidates("ol", hosts: hosts) == ["http://old.example:8080/"])
        #expect(candidates("https://o", hosts: hosts) == ["https://old.example:8080/"])
        #expect(candidates("http://c", hosts: hosts) == ["http://cdn.example/"])
        let all = ["https://img.example/", "https://cdn.example/", "https://old.example:8080/"]
        #expect(candidates("https://", hosts: hosts) == all)
        #expect(candidates("", hosts: hosts) == nil)
    }

    @Test func tabCompletesAsFarAsItIsClearAndThenGoesRound() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(":set cachec")
        _ = driver.press(keys: [.tab])
        #expect(driver.dashboard.state.prompt.editor.text == ":set cacheCapacity ")
        _ = driver.press("1G")
        _ = driver.press(keys: [.control("u")])
        _ = driver.press(":order ")
        _ = driver.press(keys: [.tab])
        #expect(driver.text.contains("fifo  lifo"))
        var seen: [String] = []
        for _ in 0..<3 {
            _ = driver.press(keys: [.tab])
            seen.append(driver.dashboard.state.prompt.editor.text)
        }
        #expect(seen == [":order fifo", ":order lifo", ":order fifo"])
        #expect(driver.press(keys: [.enter]).contains("set order fifo"))
    }

    @Test func aFolderIsReadAndItsNamesOffered() {
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.press("@~/pi")
        #expect(driver.press(keys: [.tab]) == ["readFolder ~/"])
        _ = driver.send(
            .folder(path: "~/", names: ["pictures.txt", "pine/", ".pip", "other", "pi\u{1B}[2J", "pi\u{FFFD}.txt"])
        )
        #expect(driver.dashboard.state.prompt.editor.text == "@~/pi")
        #expect(driver.text.contains("pictures.txt  pine/"))
        _ = driver.press(keys: [.tab, .tab])
        #expect(driver.dashboard.state.prompt.editor.text == "@~/pine/")
        _ = driver.press("x")
        _ = driver.send(.folder(path: "~/", names: ["pixel"]))
        #expect(driver.dashboard.state.prompt.editor.text == "@~/pine/x", "a late answer is not taken")
    }

    @Test(arguments: [Mouse.Kind.press, .wheelDown]) func aFolderIsForTheLineThatAskedForIt(kind: Mouse.Kind) {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("ma@/slow/mount/x")
        #expect(driver.press(keys: [.tab]) == ["readFolder /slow/mount/"])
        _ = driver.text
        _ = driver.send(.mouse(Mouse(kind, x: 1, y: 1)))
        #expect(driver.dashboard.state.mode == .lists, "the mouse left the prompt")
        _ = driver.press(":")

        _ = driver.send(.folder(path: "/slow/mount/", names: ["x1", "x2"]))

        #expect(driver.dashboard.state.prompt.editor.text == ":")
        #expect(driver.dashboard.state.prompt.completion == nil)
    }

    @Test func theHistoryIsSearchedBackwards() {
        var driver = Driver(.full, 80, 24, prompt: true)
        for line in ["http://a.example/1", "http://b.example/2", "http://a.example/3"] {
            _ = driver.press(line)
            _ = driver.press(keys: [.enter])
        }
        _ = driver.press("dra")
        _ = driver.press(keys: [.control("r")])
        _ = driver.press("a.ex")
        #expect(driver.text.contains("search ‹a.ex› http://a.example/3"))
        _ = driver.press(keys: [.control("r")])
        #expect(driver.dashboard.state.prompt.editor.text == "http://a.example/1")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.prompt.editor.text == "dra")
        _ = driver.press(keys: [.control("r"), .character("2"), .end, .character("0")])
        #expect(driver.dashboard.state.prompt.editor.text == "http://b.example/20")
    }

    @Test func whatWouldMergeIsCountedWhileTyping() {
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.press("https://a.example/[1-80] x")
        let probe = driver.lastProbe
        #expect(probe?.requests.count == 80)
        var snapshot = Scene.full.snapshot
        snapshot.probe = URLProbe.Answer(serial: (probe?.serial ?? 0) - 1)
        snapshot.probe?.merging = 7
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("80 URLs, 1 invalid"), "an old answer does not count")
        snapshot.probe?.serial += 1
        snapshot.probe?.merging = 3
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("80 URLs, 3 merge, 1 invalid"))
        _ = driver.press(keys: [.control("u")])
        _ = driver.press("https://a.example/[1-10000]")
        #expect(driver.text.contains("10,000 URLs"))
        #expect(driver.lastProbe?.requests.count != 10_000, "so many are counted only")
    }

    @Test func whatWouldMergeIsAskedAgainOnceATaskEnded() {
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.press("https://a.example/1")
        let first = driver.lastProbe?.serial ?? 0
        var snapshot = Scene.full.snapshot
        func answer(_ serial: Int, merging: Int) -> URLProbe.Answer {
            var answer = URLProbe.Answer(serial: serial)
            (answer.merging, answer.checked) = (merging, 1)
            return answer
        }
        snapshot.probe = answer(first, merging: 1)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("1 URL, merges"))
        #expect(driver.lastProbe?.serial == first, "nothing ended since it was asked")

        for _ in 0..<2 {
            snapshot.time = snapshot.time + .seconds(1)
            snapshot.counts.succeeded += 1
            _ = driver.send(.snapshot(snapshot))
            #expect(driver.lastProbe?.serial == first + 1, "one question at a time")
            #expect(driver.text.contains("1 URL, merges"), "what is known stands until more is")
        }
        snapshot.probe = answer(first + 1, merging: 1)
        snapshot.time = snapshot.time + .milliseconds(900)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.lastProbe?.serial == first + 2, "the second may have ended behind that answer")
        snapshot.probe = answer(first + 2, merging: 1)
        snapshot.counts.succeeded += 1
        snapshot.time = snapshot.time + .milliseconds(200)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.lastProbe?.serial == first + 2, "no two questions within a quarter of a second")
        snapshot.probe = answer(first + 2, merging: 0)
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.text.contains("1 URL") && !driver.text.contains("merges"), "\(driver.text)")
        snapshot.counts.cancelled += 1
        _ = driver.send(.snapshot(snapshot))
        #expect(driver.lastProbe?.serial == first + 2, "what joins nothing can't join less")
        #expect(driver.lastProbe?.requests.map(\.url) == ["https://a.example/1"])
    }
}

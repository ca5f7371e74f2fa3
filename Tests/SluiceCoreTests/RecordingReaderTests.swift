import Testing

@testable import SluiceCore

/// A log is read line by line, and its faults are named by line.
struct RecordingReaderTests {
    private static let line =
        #"{"seq":N,"t":N.5,"time":"2026-11-21T10:16:00.250Z","event":"warning","code":"a","message":"b"}"#

    private func text(_ numbers: [Int]) -> String {
        numbers.map { Self.line.replacing("N", with: "\($0)") + "\n" }.joined()
    }

    private func read(_ text: String, pieces: Int = 7) throws(RecordingError) -> Recording {
        var reader = RecordingReader()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try reader.add(bytes[start..<min(bytes.count, start + pieces)])
        }
        return try reader.finish()
    }

    private func problem(_ text: String) -> RecordingError? {
        do throws(RecordingError) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func piecesOfAnySizeMakeTheSameRecording() throws {
        for pieces in 1...200 {
            let recording = try read("\n" + text([1, 2, 5]) + "\r\n", pieces: pieces)
            #expect(recording.count == 3 && recording.cutOffLine == nil)
            #expect(recording.times == [1_500_000_000, 2_500_000_000, 5_500_000_000])
            #expect(recording[2].seq == 5)
        }
    }

    @Test func theStartIsThatOfTheSession() throws {
        // 1.5 s before the first event.
        #expect(try read(text([1])).start.nanosecondsSince1970 == 1_795_256_160_250_000_000 - 1_500_000_000)
    }

    @Test func aLastLineThatIsCutOffIsLeftOut() throws {
        let whole = text([1, 2])
        for length in (whole.utf8.count / 2 + 1)..<(whole.utf8.count - 1) {
            let recording = try read(String(whole.prefix(length)))
            #expect(recording.count == (length == whole.utf8.count - 1 ? 2 : 1))
            #expect(recording.cutOffLine == 2, "it is named")
        }
        #expect(try read(String(whole.dropLast())).count == 2)
    }

    @Test func aFirstLineThatAnswersSubscribeIsPassedOver() throws {
        let answer = #"{"seq":2}"# + "\n"
        for pieces in [1, 7, 200] {
            let recording = try read(answer + text([1, 2]), pieces: pieces)
            #expect(recording.count == 2 && recording.cutOffLine == nil)
        }
        #expect(problem(text([1]) + answer)?.line == 2, "elsewhere it is no event")
        #expect(problem(answer + answer)?.line == 2)
        #expect(problem(#"{"seq":2,"t":1}"# + "\n")?.line == 1, "it says more than an answer")
        #expect(problem(answer)?.message.contains("there is no event in it") == true)
    }

    @Test func faultsAreNamedByLine() {
        #expect(problem(text([1]) + "x\n" + text([2]))?.line == 2)
        #expect(problem(text([1]) + "x\n")?.message.contains("it is no JSON") == true)
        #expect(problem(text([1, 2]) + text([1]))?.message.contains("another session begins here") == true)
        #expect(problem("")?.message.contains("record one with --events FILE") == true)
        #expect(problem("\n\n")?.line == nil)
        let cut = problem("\n" + String(text([1]).prefix(20)))
        #expect(cut?.line == 2 && cut?.message.contains("no whole event, and none stands before it") == true)
        #expect(problem("#!/bin/sh\nls\n")?.line == 1)
    }

    @Test func aLineWithoutAnEndIsNotKept() throws {
        var reader = RecordingReader()
        let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1_048_576)
        var failure: RecordingError?
        for _ in 0..<20 where failure == nil {
            do throws(RecordingError) { try reader.add(piece[...]) } catch { failure = error }
        }
        #expect(failure?.line == 1)
        #expect(failure?.message.contains("longer than 16 MiB") == true)
        #expect(failure?.message.hasSuffix("cut the file before this line") == true)
    }
}

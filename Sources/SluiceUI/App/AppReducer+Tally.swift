internal import SluiceCore

/// Saying what became of what was added together.
extension AppReducer {
    /// Waits for the answers, and says until then that there are none.
    static func follow(_ tally: SubmissionTally, _ state: inout AppState, _ now: Timestamp) {
        state.tallies.append(tally)
        // What is said of something earlier would pass for its answer.
        if tally.isAlone {
            state.message = nil
        } else {
            say(tally.start, .bright, &state, now)
        }
    }

    /// Counts an answer for what was added first, and says what came of it when it was the last.
    static func count(_ submission: Submission, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        for index in state.tallies.indices where state.tallies[index].take(submission) {
            guard state.tallies[index].isComplete else { return }
            let tally = state.tallies.remove(at: index)
            // Lines tell of each event what it says, also of this one.
            if tally.isAlone, !tally.hasNoRow, tally.note == nil, !state.hasKeys { return }
            change.draw(.urgent)
            return say(tally.sentence, tally.role, &state, now)
        }
    }
}

/// The search for the next row of the queue that matches, which the pipeline answers.
struct FindState: Sendable {
    /// Number of the last question.
    var asked = 0
    /// Of the last one whose answer was taken.
    var taken = 0
}

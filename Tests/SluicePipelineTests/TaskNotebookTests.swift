import SluiceCore
import Testing

@testable import SluicePipeline

struct TaskNotebookTests {
    private let task = TaskID(1)

    @Test func aTaskWithoutNotesHasNoEntry() {
        var notebook = TaskNotebook()
        notebook.add(TaskTarget(), of: task)
        notebook[task].rate = 100
        notebook[task].rate = nil
        notebook[task].bestReceived = 0
        #expect(notebook.isEmpty && notebook[task] == TaskNotes() && notebook.target(of: task) == TaskTarget())
    }

    private static let former = FormerStand(
        RestoredRequest(
            row: RestoredRequest.Row(session: 1, task: 1, receipt: 1),
            request: DownloadRequest("http://test/"),
            band: 0,
            isPaused: false,
            priority: nil
        )
    )

    static let changes: [@Sendable (inout TaskNotes) -> Void] = [
        { $0.reason = .promoted },
        { $0.rate = 100 },
        { $0.bestReceived = 1 },
        { $0.pausedAt = TaskNotes.Progress(received: 0, expected: nil) },
        { $0.lastAnswer = TaskNotes.Answer(status: nil, bytes: 0) },
        { $0.uncontinued = .entityTag("\"1\"") },
        { $0.isUnconditional = true },
        { $0.hasNoFallback = true },
        // The usual name.
        { $0.refusedPlaces = [nil] },
        { $0.former = TaskNotebookTests.former },
    ]

    @Test func theseAreAllNotes() { #expect(Self.changes.count == Mirror(reflecting: TaskNotes()).children.count) }

    @Test(arguments: changes) func everyNoteStaysUntilItsTaskIsForgotten(change: @Sendable (inout TaskNotes) -> Void) {
        var notebook = TaskNotebook()
        change(&notebook[task])
        notebook[TaskID(2)].rate = 1
        #expect(!notebook[task].isEmpty)
        notebook.forget(task)
        #expect(notebook[task].isEmpty && notebook[TaskID(2)].rate == 1)
        notebook.forget(TaskID(2))
        #expect(notebook.isEmpty)
    }

    @Test func aTargetStaysUntilItsTaskIsForgotten() {
        var notebook = TaskNotebook()
        let target = TaskTarget(url: "http://test/a?token=1", user: Credentials(user: "me", password: "secret"))
        notebook.add(target, of: task)
        notebook[task].reason = .resumedByUser
        notebook[task].reason = nil
        #expect(notebook.target(of: task) == target)
        notebook.forget(task)
        #expect(notebook.isEmpty)
    }
}

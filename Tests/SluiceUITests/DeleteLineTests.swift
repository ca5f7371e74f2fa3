import SluiceCore
import Testing

@testable import SluiceUI

/// The question whether files are deleted, where the box that names them may have no room.
struct DeleteLineTests {
    /// The longest question that fits.
    private func question(_ files: [String], columns: Int) -> String? {
        DeleteLine.choices(files, columns: columns).first { $0.width <= columns }?.spans.map(\.text).joined()
    }

    @Test(arguments: [
        (80, "delete /home/u/Pictures/andes-at-night.jpg? y yes  n no"), (40, "delete andes-at-night.jpg? y yes  n no"),
        (30, "delete and…ht.jpg? y yes  n no"), (20, "delete andes-a…? y n"),
    ])
    func aFileIsNamedAsFarAsThereIsRoom(columns: Int, text: String) {
        #expect(question(["/home/u/Pictures/andes-at-night.jpg"], columns: columns) == text)
    }

    @Test func ofSeveralTheFirstIsNamed() {
        #expect(question(["/d/1.png", "/d/2.png"], columns: 78) == "delete 2 files, first /d/1.png? y yes  n no")
    }

    @Test func whatFitsNowhereIsLeftToTheBox() {
        #expect(question(["/d/1.png", "/d/2.png"], columns: 18) == nil)
        #expect(question([], columns: 78) == nil)
    }

    @Test func aNameCannotSteerTheTerminal() {
        let text = question(["/d/a\u{1B}[2J.png"], columns: 78) ?? ""
        #expect(text.contains("a^[[2J.png"), "\(text)")
    }

    @Test(arguments: [(40, 8), (80, 24)]) func theRowOfThePromptNamesWhatIsSelected(width: Int, height: Int) {
        var scene = Scene.full
        for number in 1...2 {
            var end = TaskEnd(task: TaskID(900 + number), url: "http://h/\(number)", outcome: .success, receipts: 1)
            end.file = "/d/\(number)"
            scene.add(55, .taskFinished(end))
        }
        var driver = Driver(scene, width, height)
        _ = driver.press("8D")
        let (one, answers) = (driver.text, width < 60 ? " y yes  n no" : "")
        #expect(one.contains("delete /d/2?\(answers)") && one.contains("y yes  n no"), "\(one)")
        _ = driver.press("n  D")
        let text = width < 60 ? "delete 2 files, first " : "delete 2 files, first /d/2?"
        #expect(driver.text.contains(text), "\(driver.text)")
    }
}

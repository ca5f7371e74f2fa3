import SluiceCore
import Testing

@testable import SluiceUI

/// Which snapshots are drawn anew.
struct SnapshotLooksTests {
    @Test func timesAloneChangeNothingOnTheScreen() {
        let before = Scene.full.snapshot
        var after = before
        (after.time, after.serial) = (before.time + .seconds(1), before.serial + 1)
        after.indicator.deadline = after.time
        #expect(after.looks(like: before))
    }

    /// A mark that says how safe a host is must not stay until somebody presses a key.
    @Test func whatAnotherProgramChangesIsDrawn() {
        let before = Scene.full.snapshot
        var after = before
        after.lenientHosts = ["lenient.example"]
        #expect(!after.looks(like: before))
        after = before
        after.http.usage += 1
        #expect(!after.looks(like: before))
        after = before
        after.fullFolder = "/full"
        #expect(!after.looks(like: before))
    }
}

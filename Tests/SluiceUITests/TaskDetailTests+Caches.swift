import SluiceCore
import Testing

@testable import SluiceUI

/// A task of which no file is saved.
extension TaskDetailTests {
    @Test(arguments: [false, true]) func whatIsOnlyForTheCachesSavesNothingAndSaysSo(isPrefetched: Bool) {
        var scene = Self.inspected
        scene.snapshot.directory = "/home/u/Pictures"
        if isPrefetched {
            (scene.snapshot.active[0].savesFile, scene.snapshot.active[0].file) = (false, nil)
            scene.snapshot.inspected?.row.savesFile = false
            scene.snapshot.inspected?.row.file = nil
        } else {
            scene.snapshot.active[0].receipts = 0
            scene.snapshot.inspected?.row.receipts = 0
        }
        var driver = Driver(scene, 120, 36)
        #expect(driver.text.contains("to   the caches only, no file is saved"), "\(driver.text)")
        #expect(!driver.text.contains(".part"), "\(driver.text)")
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains("nowhere: for the caches only"), "\(driver.text)")
    }
}

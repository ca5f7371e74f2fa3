import SluiceCore
import Testing

struct PipelineCommandTests {
    @Test(
        arguments: [
            (.submit([]), false), (.prefetch([]), false), (.cancelPrefetch(BatchID(1)), false),
            (.cancelAll, false), (.retryFailed, false), (.replaceURL(TaskID(1), "https://a.example"), false),
            (.steer(.retry, .task(TaskID(1))), false), (.steer(.retry, .tasks([TaskID(1)])), true),
            (.steer(.pause, .task(TaskID(1))), true), (.steer(.abort, .queued(ListFilter("a"))), true),
            (.cancel(ReceiptID(1)), true), (.cancelNewest(TaskID(1)), true), (.pauseAll, true), (.resumeAll, true),
            (.forgetFailure("https://a.example"), true), (.forgetFailures, true), (.clearCache, true),
            (.pressure, true), (.shutDown, true),
        ] as [(PipelineCommand, Bool)]
    )
    func onlyWhatNamesNothingOfAListOvertakesIt(_ command: PipelineCommand, _ overtakes: Bool) {
        #expect(command.overtakes == overtakes)
    }

    @Test(arguments: Settings.names)
    func onlySettingsOfWhatStartsOvertakeAList(_ name: String) throws {
        let change = SettingChange(name: name, value: try #require(Settings().value(of: name)))
        let overtaking = ["maxActive", "maxPerHost", "suspended", "limitRate"]
        #expect(PipelineCommand.set(change).overtakes == overtaking.contains(name))
    }
}

import Glibc
import SluiceSystem
import Testing

/// The user's folders, of variables that are set and of those that are not.
struct EnvironmentTests {
    @Test func theHomeStandsForWhatIsNotSet() {
        let home = ["/u/.local/state/sluice", "/u/.cache/sluice", "/u/.config/sluice", nil]
        #expect(folders(["HOME": "/u"]) == home)
    }

    @Test func everyFolderHasItsVariable() {
        let variables = [
            "HOME": "/u", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f",
            "XDG_RUNTIME_DIR": "/r",
        ]
        #expect(folders(variables) == ["/s/sluice", "/c/sluice", "/f/sluice", "/r/sluice"])
    }

    @Test(arguments: ["", "u", "./u", "~"])
    func whatIsNotAbsoluteIsPassedOver(_ path: String) {
        var variables = ["HOME": "/u"]
        for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
            variables[name] = path
        }
        #expect(folders(variables) == folders(["HOME": "/u"]))
        variables["HOME"] = path
        #expect(folders(variables) == folders([:]))
        #expect(Environment { _ in path }.home == nil)
    }

    @Test func whereNothingIsSetThereIsNoFolder() {
        let none: [String?] = [nil, nil, nil, nil]
        #expect(folders([:]) == none)
    }

    /// Of users that have no other, such as those of containers.
    @Test func theRootIsAHomeLikeAnyOther() {
        let home = ["/.local/state/sluice", "/.cache/sluice", "/.config/sluice", nil]
        #expect(folders(["HOME": "/"]) == home)
        #expect(Environment { _ in "/" }.home == "/")
        #expect(Environment { _ in "/" }.runtimeFolder == "/sluice")
    }

    @Test func aVariableOfThisProcessIsFound() {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        #expect(Environment.variable("PATH") == path)
        #expect(Environment.variable("SLUICE_NO_SUCH_VARIABLE") == nil)
    }

    /// For state, cache, configuration and what ends with the session.
    private func folders(_ variables: [String: String]) -> [String?] {
        let environment = Environment { variables[$0] }
        return [
            environment.stateFolder, environment.cacheFolder, environment.configurationFolder,
            environment.runtimeFolder,
        ]
    }
}

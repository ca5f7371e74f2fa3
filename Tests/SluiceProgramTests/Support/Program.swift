import Glibc
import SluiceTestSupport

/// The program under test.
enum Program {
    /// The one that was built with the tests, unless `SLUICE_PROGRAM` names another.
    static let path: String = {
        guard let name = unsafe getenv("SLUICE_PROGRAM").map({ unsafe String(cString: $0) }), !name.isEmpty else {
            return ChildProcess.product("sluice")
        }
        return name.hasPrefix("/") ? name : packageRoot + "/" + name
    }()

    private static let packageRoot = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    /// What the program finds in the environment: nothing of the user's is read or written.
    static func environment(home: String) -> [String: String] {
        ["HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config", "TZ": "UTC"]
    }
}

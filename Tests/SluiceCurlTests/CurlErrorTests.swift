import CCurl
import Glibc
import SluiceCore
import Testing

@testable import SluiceCurl

/// What curl's codes mean.
struct CurlErrorTests {
    @Test(arguments: [EMFILE, ENFILE]) func thatNoSocketCouldBeMadeIsNoFaultOfTheHost(number: Int32) {
        var progress = CurlError.Progress(hasHead: false, received: 0)
        progress.systemError = Int(number)
        let detail = "Failed to connect to a.example port 80 after 0 ms: Couldn't connect to server"
        let error = CurlError.error(CURLE_COULDNT_CONNECT, detail, host: "a.example", at: progress)
        #expect(error.code == .ioError)
        #expect(error.message.contains("ulimit -n") && !error.message.contains("a.example"))
        progress.systemError = Int(ECONNREFUSED)
        let other = CurlError.error(CURLE_COULDNT_CONNECT, detail, host: "a.example", at: progress)
        #expect(other.code == .cannotConnect && other.message.contains("a.example"))
    }
}

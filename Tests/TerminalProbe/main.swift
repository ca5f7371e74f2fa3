import CLinux
import Glibc
import SluiceCore
import SluiceTerminal
import SluiceUI

// A program for the tests of SluiceTerminal: a loop with an application that shows what
// it is told. `wait` waits for a signal without a terminal.

/// Ends the process in the way that a key asks for.
func crash(_ way: String) {
    switch way {
    case "c": unsafe UnsafeMutablePointer<Int>(bitPattern: 64)?.pointee = 1
    case "t":
        let none: [Int] = []
        print(none[CommandLine.arguments.count])
    case "a": abort()
    case "e": exit(3)
    case "h":
        print("\u{7}", terminator: "")
        fflush(nil)
        while true { pause() }
    case "o": print(depth(1))
    default: break
    }
}

/// Overflows the stack.
func depth(_ level: Int) -> Int { level == 0 ? 0 : depth(level + 1) + 1 }

func waitForSignals() -> Int32 {
    let signals = SignalWatch()
    print("ready")
    fflush(nil)
    while true {
        var ready = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, -1)
        signals.acknowledge()
        guard let number = signals.ending else { continue }
        print("ending \(number)")
        fflush(nil)
    }
}

func runScreen() -> Int32 {
    TrueColor.prepare()
    let signals = SignalWatch()
    let mailbox = Mailbox()
    do {
        let screen = try CursesScreen(signals: signals, usesColor: CommandLine.arguments.last != "mono")
        let loop = TerminalLoop(screen: screen, mailbox: mailbox, signals: signals)
        var application = ProbeApplication()
        let end = loop.run(&application) { effect in
            switch effect {
            case .readList(let path): return .list(path: path, .success(["one", "two"]))
            case .pipeline:
                for serial in 1...3 {
                    var snapshot = PipelineSnapshot(time: Timestamp(nanoseconds: 0))
                    snapshot.serial = serial
                    mailbox.post(snapshot: snapshot)
                }
                let warning = PipelineEvent.Kind.warning(code: .other, message: "", task: nil)
                for seq in 1...10_002 { mailbox.post(event: PipelineEvent(seq: seq, t: .zero, kind: warning)) }
            case .saveHistory(let lines): crash(lines.first ?? "")
            default: break
            }
            return nil
        }
        print("ended: \(end)")
        return end == .quit ? 0 : 7
    } catch {
        print("no screen: \(error)")
        return 2
    }
}

exit(CommandLine.arguments.contains("wait") ? waitForSignals() : runScreen())

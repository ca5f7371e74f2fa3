extension ScreenEmulator {
    /// Cuts a stream of bytes into characters and sequences.
    struct SequenceParser: Sendable {
        enum Item {
            case text(String)
            case control(UInt8)
            /// What follows `ESC`.
            case escape([UInt8])
            /// What follows `ESC [`.
            case controlSequence([UInt8])
            /// An operating system command, without its end.
            case command(String)
            /// A command for an application, without its end: what the kitty protocol uses.
            case applicationCommand(String)
        }

        private enum State {
            case ground
            case escape
            case controlSequence
            case command
            case commandEnd
        }

        /// Ends a sequence that was begun, wherever it stands.
        private static let cancel: UInt8 = 0x18

        private var state = State.ground
        private var isApplicationCommand = false
        private var bytes: [UInt8] = []

        mutating func take(_ byte: UInt8) -> Item? {
            if byte == Self.cancel {
                (state, bytes) = (.ground, [])
                return nil
            }
            switch state {
            case .ground: return takeText(byte)
            case .escape: return takeEscape(byte)
            case .controlSequence:
                bytes.append(byte)
                guard byte >= 0x40 else { return nil }
                return finish(.controlSequence(bytes))
            case .command:
                if byte == 0x07 { return finish(.command(String(decoding: bytes, as: UTF8.self))) }
                if byte == 0x1B { state = .commandEnd } else { bytes.append(byte) }
                return nil
            case .commandEnd:
                let text = String(decoding: bytes, as: UTF8.self)
                return finish(isApplicationCommand ? .applicationCommand(text) : .command(text))
            }
        }

        private mutating func takeText(_ byte: UInt8) -> Item? {
            if byte == 0x1B {
                state = .escape
                bytes = []
                return nil
            }
            guard byte >= 0x20, byte != 0x7F else { return .control(byte) }
            bytes.append(byte)
            let expected = [0xC2...0xDF: 2, 0xE0...0xEF: 3, 0xF0...0xF4: 4].first { $0.key.contains(Int(bytes[0])) }
            guard bytes.count >= expected?.value ?? 1 else { return nil }
            return finish(.text(String(decoding: bytes, as: UTF8.self)))
        }

        private mutating func takeEscape(_ byte: UInt8) -> Item? {
            if bytes.isEmpty {
                if byte == UInt8(ascii: "[") { state = .controlSequence }
                isApplicationCommand = byte == UInt8(ascii: "_")
                if byte == UInt8(ascii: "]") || isApplicationCommand { state = .command }
                if byte == UInt8(ascii: "[") || state == .command { return nil }
            }
            bytes.append(byte)
            // A set of characters, and the like, is named by one more byte.
            return (0x20...0x2F).contains(byte) ? nil : finish(.escape(bytes))
        }

        private mutating func finish(_ item: Item) -> Item {
            state = .ground
            bytes = []
            return item
        }
    }
}

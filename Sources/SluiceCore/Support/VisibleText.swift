extension String {
    /// The text with everything written out that could move a cursor or fool a reader.
    ///
    /// Controls become `^[`, DEL `^?`, others `\u{202E}`. The result fits on one line.
    public var withVisibleControls: String {
        guard unicodeScalars.contains(where: \.isHazardous) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x00...0x1F: text += "^" + String(Unicode.Scalar(UInt8(scalar.value) + 0x40))
            case 0x7F: text += "^?"
            case _ where scalar.isHazardous: text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

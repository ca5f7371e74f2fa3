import SluiceOrigin

extension Origin {
    /// Offers `/slow.bin`, of whose 2,000,000 bytes 600,000 come and then nothing more.
    func offerStalledFile() {
        route("/slow.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 2_000_000))
            answer.fault = .stall(after: 600_000)
            return answer
        }
    }
}

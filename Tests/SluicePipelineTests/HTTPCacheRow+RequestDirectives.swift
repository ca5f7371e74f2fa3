extension HTTPCacheRow {
    /// §5.2.1 and §5.4: what a request may say.
    static let requestDirectives: [HTTPCacheRow] = [
        HTTPCacheRow(
            "5.2.1.1",
            "max-age 0 asks",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?Cache-Control:max-age=0 304 ETag:\"a\" > reval if / > disk"
        ),
        HTTPCacheRow(
            "5.2.1.1",
            "max-age takes what is young enough",
            "Cache-Control:max-age=100 > net / +10 ?Cache-Control:max-age=10 > disk / "
                + "+1 ?Cache-Control:max-age=10 Cache-Control:max-age=100 > net"
        ),
        HTTPCacheRow(
            "5.2.1.1",
            "max-age does not make stale fresh",
            "Cache-Control:max-age=10 > net / +11 ?Cache-Control:max-age=100 > net"
        ),
        HTTPCacheRow(
            "5.2.1.1",
            "a max-age that is no number asks",
            "Cache-Control:max-age=100 > net / ?Cache-Control:max-age=x > net"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale takes what is stale",
            "Cache-Control:max-age=10 > net / +20 ?Cache-Control:max-stale > disk"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale with a limit",
            "Cache-Control:max-age=10 > net / +20 ?Cache-Control:max-stale=10 > disk / "
                + "+1 ?Cache-Control:max-stale=10 > net"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale does not beat must-revalidate",
            "Cache-Control:max-age=10,must-revalidate > net / +20 ?Cache-Control:max-stale > net"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale does not beat no-cache",
            "Cache-Control:max-age=10,no-cache > net / ?Cache-Control:max-stale > net"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale of no number takes nothing",
            "Cache-Control:max-age=10 > net / +20 ?Cache-Control:max-stale=x > net"
        ),
        HTTPCacheRow(
            "5.2.1.2",
            "max-stale takes a fresh one too",
            "Cache-Control:max-age=10 > net / ?Cache-Control:max-stale=5 > disk"
        ),
        HTTPCacheRow(
            "5.2.1.3",
            "min-fresh wants it fresh for longer",
            "Cache-Control:max-age=100 > net / +50 ?Cache-Control:min-fresh=50 > disk / "
                + "+1 ?Cache-Control:min-fresh=50 > net"
        ),
        HTTPCacheRow(
            "5.2.1.3",
            "min-fresh beyond the lifetime asks",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?Cache-Control:min-fresh=101 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "5.2.1.3",
            "min-fresh of no number asks",
            "Cache-Control:max-age=100 > net / ?Cache-Control:min-fresh=x > net"
        ),
        HTTPCacheRow(
            "5.2.1.4",
            "no-cache asks",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?Cache-Control:no-cache 304 ETag:\"a\" > reval if / > disk"
        ),
        HTTPCacheRow(
            "5.2.1.4",
            "no-cache stores the answer",
            "Cache-Control:max-age=100 > net / ?Cache-Control:no-cache Cache-Control:max-age=100 > net / > disk=2"
        ),
        HTTPCacheRow(
            "5.2.1.5",
            "no-store of a request is not stored",
            "?Cache-Control:no-store Cache-Control:max-age=100 > net / Cache-Control:max-age=100 > net / > disk=2"
        ),
        HTTPCacheRow(
            "5.2.1.5",
            "no-store of a request may use what is stored",
            "Cache-Control:max-age=100 > net / ?Cache-Control:no-store > disk"
        ),
        HTTPCacheRow(
            "5.2.1.7",
            "only-if-cached takes what is fresh",
            "Cache-Control:max-age=100 > net / ?Cache-Control:only-if-cached > disk"
        ),
        HTTPCacheRow(
            "5.2.1.7",
            "only-if-cached without anything is refused",
            "?Cache-Control:only-if-cached > reject / Cache-Control:max-age=10 > net / "
                + "?Cache-Control:only-if-cached > disk"
        ),
        HTTPCacheRow(
            "5.2.1.7",
            "only-if-cached refuses what is stale",
            "Cache-Control:max-age=10 > net / +11 ?Cache-Control:only-if-cached > reject"
        ),
        HTTPCacheRow(
            "5.2.1.7",
            "only-if-cached with max-stale",
            "Cache-Control:max-age=10 > net / +11 ?Cache-Control:only-if-cached,max-stale=5 > disk"
        ),
        HTTPCacheRow(
            "5.2.1.7",
            "only-if-cached holds under policies that ask",
            "Cache-Control:max-age=100 > net / @reload ?Cache-Control:only-if-cached > reject / "
                + "@revalidate ?Cache-Control:only-if-cached > reject / > disk"
        ),
        HTTPCacheRow(
            "5.2.1",
            "an unknown directive of a request is ignored",
            "Cache-Control:max-age=100 > net / ?Cache-Control:x-new > disk"
        ),
        HTTPCacheRow(
            "5.4",
            "Pragma of a request asks",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?Pragma:no-cache 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "5.4",
            "Pragma is nothing beside Cache-Control",
            "Cache-Control:max-age=100 > net / ?Pragma:no-cache ?Cache-Control:max-age=1000 > disk"
        ),
        HTTPCacheRow("5.4", "another Pragma is nothing", "Cache-Control:max-age=100 > net / ?Pragma:x > disk"),
        HTTPCacheRow(
            "5.4",
            "Pragma of an answer is nothing",
            "Cache-Control:max-age=100 Pragma:no-cache > net / > disk"
        ),
    ]
}

extension HTTPCacheRow {
    /// §5.2.2, RFC 5861 and RFC 8246: what an answer may say beside its age.
    static let responseDirectives: [HTTPCacheRow] = [
        HTTPCacheRow(
            "5.2.2.4",
            "no-cache is asked about each time",
            "Cache-Control:no-cache,max-age=100 ETag:\"a\" > net / 304 ETag:\"a\" > reval if / "
                + "304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "5.2.2.4",
            "no-cache with names is asked about too",
            "Cache-Control:no-cache=\"Set-Cookie\",max-age=100 ETag:\"a\" > net / 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow("5.2.2.4", "no-cache beside Expires", "Cache-Control:no-cache Expires:{100} > net / > net"),
        HTTPCacheRow(
            "5.2.2.2",
            "must-revalidate while fresh is used",
            "Cache-Control:max-age=100,must-revalidate > net / > disk"
        ),
        HTTPCacheRow(
            "5.2.2.2",
            "must-revalidate when stale is asked",
            "Cache-Control:max-age=10,must-revalidate ETag:\"a\" > net / +11 304 ETag:\"a\" > reval if / > disk"
        ),
        HTTPCacheRow(
            "5.2.2.2",
            "must-revalidate and a server that fails",
            "Cache-Control:max-age=10,must-revalidate,stale-if-error=100 ETag:\"a\" > net / +11 500 > fail"
        ),
        HTTPCacheRow(
            "5.2.2.8",
            "proxy-revalidate is for proxies",
            "Cache-Control:max-age=10,proxy-revalidate > net / +11 ?Cache-Control:max-stale > disk"
        ),
        HTTPCacheRow(
            "8246",
            "immutable while fresh is used",
            "Cache-Control:max-age=100,immutable > net / +99 > disk"
        ),
        HTTPCacheRow(
            "8246",
            "immutable when stale is asked",
            "Cache-Control:max-age=10,immutable ETag:\"a\" > net / +11 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "8246",
            "immutable under revalidate is asked",
            "Cache-Control:max-age=100,immutable ETag:\"a\" > net / @revalidate 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate answers and asks behind",
            "Cache-Control:max-age=10,stale-while-revalidate=20 > net / "
                + "+20 Cache-Control:max-age=100 > behind / > disk=2"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate with a 304 behind",
            "Cache-Control:max-age=10,stale-while-revalidate=20 ETag:\"a\" > net / "
                + "+20 304 ETag:\"a\" Cache-Control:max-age=10 > behind if / +9 > disk=1"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate has an end",
            "Cache-Control:max-age=10,stale-while-revalidate=20 > net / +31 > net"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate while fresh asks nobody",
            "Cache-Control:max-age=10,stale-while-revalidate=20 > net / +9 > disk"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate is not for who says how old it may be",
            "Cache-Control:max-age=10,stale-while-revalidate=900 > net / +20 ?Cache-Control:max-age=3600 > net"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate is not for who says how stale it may be",
            "Cache-Control:max-age=10,stale-while-revalidate=900 > net / +20 ?Cache-Control:max-stale=5 > net"
        ),
        HTTPCacheRow(
            "5861",
            "stale-while-revalidate is not for who wants it fresh",
            "Cache-Control:max-age=10,stale-while-revalidate=900 > net / +20 ?Cache-Control:min-fresh=0 > net"
        ),
        HTTPCacheRow(
            "5861",
            "must-revalidate forbids stale-while-revalidate",
            "Cache-Control:max-age=10,stale-while-revalidate=20,must-revalidate > net / +11 > net"
        ),
        HTTPCacheRow(
            "5861",
            "stale-if-error answers when the server fails",
            "Cache-Control:max-age=10,stale-if-error=20 ETag:\"a\" > net / +20 500 > disk if / +11 500 > fail"
        ),
        HTTPCacheRow(
            "5861",
            "stale-if-error without validator",
            "Cache-Control:max-age=10,stale-if-error=20 > net / +20 503 > disk noif"
        ),
        HTTPCacheRow(
            "5861",
            "stale-if-error is not for a 404",
            "Cache-Control:max-age=10,stale-if-error=20 > net / +20 404 > fail"
        ),
        HTTPCacheRow(
            "5861",
            "stale-if-error of the request",
            "Cache-Control:max-age=10 > net / +20 ?Cache-Control:stale-if-error=20 502 > disk"
        ),
        HTTPCacheRow(
            "5861",
            "no-cache forbids stale-if-error",
            "Cache-Control:no-cache,stale-if-error=100 ETag:\"a\" > net / 500 > fail"
        ),
    ]
}

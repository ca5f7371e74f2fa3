extension HTTPCacheRow {
    /// What the user's policies add.
    static let policies: [HTTPCacheRow] = [
        HTTPCacheRow(
            "Policies",
            "cacheElseLoad takes what is stale",
            "Cache-Control:max-age=10 > net / +1000 @cacheElseLoad > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheElseLoad takes what says no-cache",
            "Cache-Control:no-cache > net / @cacheElseLoad > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheElseLoad loads what is not stored",
            "@cacheElseLoad Cache-Control:max-age=10 > net / +11 @cacheElseLoad > disk / > net"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheElseLoad of another variant loads",
            "?X-A:1 Cache-Control:max-age=10 Vary:X-A > net / ?X-A:2 @cacheElseLoad > net"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheElseLoad of other credentials loads",
            "#ann Cache-Control:max-age=10 > net / #bob @cacheElseLoad > net"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheOnly takes what is stale",
            "Cache-Control:max-age=10 > net / +1000 @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheOnly without anything is refused",
            "@cacheOnly > reject / > net / @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheOnly of another variant is refused",
            "?X-A:1 Cache-Control:max-age=10 Vary:X-A > net / ?X-A:2 @cacheOnly > reject / ?X-A:1 @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "cacheOnly of what says no-store is refused",
            "Cache-Control:no-store > net / @cacheOnly > reject"
        ),
        HTTPCacheRow(
            "Policies",
            "reload asks without condition and stores",
            "Cache-Control:max-age=100 ETag:\"a\" > net / "
                + "@reload Cache-Control:max-age=100 ETag:\"b\" > net noif / > disk=2"
        ),
        HTTPCacheRow("Policies", "reload of nothing is a load", "@reload Cache-Control:max-age=100 > net / > disk"),
        HTTPCacheRow(
            "Policies",
            "reload of what fits no later request drops the old one",
            "Cache-Control:max-age=100 > net / +1 @reload Cache-Control:max-age=100 Vary:* > net / "
                + "Cache-Control:max-age=100 > net / > disk=3"
        ),
        HTTPCacheRow(
            "Policies",
            "reload of what says no-store drops the old one",
            "Cache-Control:max-age=100 > net / +1 @reload Cache-Control:no-store > net / > net"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 that says no-store is the last answer of what is stored",
            "Cache-Control:max-age=100 ETag:\"a\" > net / @revalidate 304 ETag:\"a\" Cache-Control:no-store,max-age=0 "
                + "> reval if / > net noif"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 that says must-understand beside no-store makes fresh again",
            "Cache-Control:must-understand,no-store,max-age=100 ETag:\"a\" > net / "
                + "+101 304 ETag:\"a\" Cache-Control:must-understand,no-store,max-age=100 > reval if / > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "revalidate asks about what is fresh",
            "Cache-Control:max-age=100 ETag:\"a\" > net / @revalidate 304 ETag:\"a\" > reval if / > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "revalidate without validator fetches",
            "Cache-Control:max-age=100 > net / @revalidate Cache-Control:max-age=100 > net noif / > disk=2"
        ),
        HTTPCacheRow(
            "Policies",
            "revalidate of nothing is a load",
            "@revalidate Cache-Control:max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "Policies",
            "refresh answers at once and asks behind",
            "Cache-Control:max-age=100 ETag:\"a\" > net / "
                + "@refresh Cache-Control:max-age=100 ETag:\"b\" > behind if / > disk=2"
        ),
        HTTPCacheRow(
            "Policies",
            "refresh takes what is stale",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +1000 @refresh 304 ETag:\"a\" > behind if / > disk=1"
        ),
        HTTPCacheRow("Policies", "refresh of nothing is a load", "@refresh Cache-Control:max-age=100 > net / > disk"),
    ]
}

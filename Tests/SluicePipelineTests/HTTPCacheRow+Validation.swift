extension HTTPCacheRow {
    /// §4.3: what is asked about a stale answer, and what the reply changes.
    static let validation: [HTTPCacheRow] = [
        HTTPCacheRow("4.3.1", "an entity tag is sent", "ETag:\"a\" > net / 304 ETag:\"a\" > reval if"),
        HTTPCacheRow("4.3.1", "a weak entity tag is sent", "ETag:W/\"a\" > net / 304 ETag:W/\"a\" > reval if"),
        HTTPCacheRow("4.3.1", "Last-Modified is sent", "Last-Modified:{-5} > net / 304 > reval if"),
        HTTPCacheRow("4.3.1", "without validator nothing is sent", "Cache-Control:max-age=0 > net / > net noif"),
        HTTPCacheRow(
            "4.3.3",
            "a 200 replaces what is stored",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 ETag:\"b\" Cache-Control:max-age=10 > net if / > disk=2"
        ),
        HTTPCacheRow(
            "4.3.3",
            "a 200 with the same tag replaces too",
            "ETag:\"a\" > net / ETag:\"a\" > net if / 304 ETag:\"a\" > reval=2"
        ),
        HTTPCacheRow(
            "4.3.3",
            "a 500 while asking is a failure",
            "ETag:\"a\" > net / 500 > fail / 304 ETag:\"a\" > reval"
        ),
        HTTPCacheRow("4.3.3", "a 404 while asking is a failure", "ETag:\"a\" > net / 404 > fail"),
        HTTPCacheRow(
            "4.3.4",
            "a 304 makes fresh again",
            "ETag:\"a\" Cache-Control:max-age=10 > net / "
                + "+11 304 ETag:\"a\" Cache-Control:max-age=10 > reval / +9 > disk=1 / +1 304 ETag:\"a\" > reval"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 brings a new lifetime",
            "ETag:\"a\" Cache-Control:max-age=1 > net / "
                + "+2 304 ETag:\"a\" Cache-Control:max-age=100 > reval / +99 > disk"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 without Cache-Control keeps the old one",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 ETag:\"a\" > reval / +9 > disk / +1 304 > reval"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 may say no-cache",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 ETag:\"a\" Cache-Control:no-cache > reval / "
                + "304 ETag:\"a\" > reval"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 without tag holds for what was asked",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 Cache-Control:max-age=10 > reval / > disk"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 with a new Expires",
            "Last-Modified:{-5} Expires:{10} Date:{0} > net / +11 304 Expires:{10} Date:{0} > reval / "
                + "+9 > disk / +1 304 > reval"
        ),
        HTTPCacheRow(
            "4.3.4",
            "the length of a 304 is not the body's",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 ETag:\"a\" Content-Length:0 > reval / +1 > disk"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a weak and a strong tag of one name fit",
            "ETag:W/\"a\" > net / 304 ETag:\"a\" > reval"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 of another tag makes it ask for all",
            "ETag:\"a\" > net / 304 ETag:\"b\" Cache-Control:max-age=9 > again / > disk=3"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 of another Last-Modified makes it ask for all",
            "Last-Modified:{-50} Cache-Control:max-age=0 > net / 304 Last-Modified:{-5} Cache-Control:max-age=9 > again / > disk=3"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 without tag, but of another Last-Modified, makes it ask for all",
            "ETag:\"a\" Last-Modified:{-50} Cache-Control:max-age=0 > net / 304 Last-Modified:{-5} Cache-Control:max-age=9 > again / > disk=3"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 of the same tag may bring another Last-Modified",
            "ETag:\"a\" Last-Modified:{-50} Cache-Control:max-age=0 > net / 304 ETag:\"a\" Last-Modified:{-5} Cache-Control:max-age=9 > reval / "
                + "> disk=1"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 of a strong tag that is not stored makes it ask for all",
            "Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT Cache-Control:max-age=0 > net / 304 ETag:\"a\" "
                + "Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT Cache-Control:max-age=9 > again / > disk=3"
        ),
        HTTPCacheRow(
            "4.3.4",
            "a 304 of the same Last-Modified may bring a weak tag",
            "Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT Cache-Control:max-age=0 > net / 304 ETag:W/\"a\" "
                + "Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT Cache-Control:max-age=9 > reval / > disk=1"
        ),
        HTTPCacheRow(
            "4.3.4",
            "Age of a 304 counts",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 ETag:\"a\" Age:8 > reval / +1 > disk / "
                + "+1 304 > reval"
        ),
        HTTPCacheRow(
            "4.3.2",
            "a condition of the user's own is passed on",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?If-None-Match:\"z\" ETag:\"a\" > net if / > disk=1"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD of the same tag makes it fresh again",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +20 HEAD Cache-Control:max-age=100 ETag:\"a\" X-New:1 > net / "
                + "+50 > disk=1 X-New:1"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD of the same Last-Modified makes it fresh again",
            "Cache-Control:max-age=10 Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT > net / "
                + "+20 HEAD Cache-Control:max-age=100 Last-Modified:Wed,~01~Nov~2023~00:00:00~GMT > net / +50 > disk=1"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD of the same tag that forbids storing takes it away",
            "Cache-Control:max-age=100 ETag:\"a\" > net / HEAD Cache-Control:no-store ETag:\"a\" > net / > net noif"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD with a tag drops what has none",
            "Cache-Control:max-age=100 > net / HEAD Cache-Control:max-age=100 ETag:\"b\" > net / > net noif"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD without tag and date says nothing of what is stored",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +20 HEAD Cache-Control:max-age=100 > net / 304 > reval if"
        ),
        HTTPCacheRow(
            "4.3.5",
            "a HEAD of another version drops all that could answer",
            "Cache-Control:max-age=900 > net / +1 @reload ?X-A:1 Cache-Control:max-age=900 Vary:X-A ETag:\"b\" > net / "
                + "+1 HEAD ?X-A:1 ETag:\"c\" > net / ?X-A:1 > net noif"
        ),
    ]
}

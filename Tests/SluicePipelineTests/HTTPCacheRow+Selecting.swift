extension HTTPCacheRow {
    /// §4.1: which stored answer is that of a request.
    static let selecting: [HTTPCacheRow] = [
        HTTPCacheRow(
            "4.1",
            "the same field is the same variant",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1 > disk"
        ),
        HTTPCacheRow(
            "4",
            "what was asked of another Host answers nobody else",
            "?Host:evil.example Cache-Control:max-age=100 > net / Cache-Control:max-age=100 > net noif / "
                + "?Host:evil.example > disk=1 / > disk=2 / ?Host:other.example @cacheOnly > reject"
        ),
        HTTPCacheRow(
            "4",
            "a HEAD goes to the origin and leaves what is stored",
            "Cache-Control:max-age=100 > net / HEAD Cache-Control:max-age=100 > net / > disk=1"
        ),
        HTTPCacheRow(
            "4.1",
            "another field is another variant",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / "
                + "?X-A:2 Cache-Control:max-age=100 Vary:X-A > net noif / ?X-A:1 > disk=1 / ?X-A:2 > disk=2"
        ),
        HTTPCacheRow(
            "4.1",
            "three variants live side by side",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / "
                + "?X-A:2 Cache-Control:max-age=100 Vary:X-A > net / "
                + "?X-A:3 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:2 > disk=2 / ?X-A:1 > disk=1 / "
                + "?X-A:3 > disk=3"
        ),
        HTTPCacheRow(
            "4.1",
            "a missing field is a variant",
            "Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / > disk=1"
        ),
        HTTPCacheRow(
            "4.1",
            "an empty field is not a missing one",
            "Cache-Control:max-age=100 Vary:X-A > net / ?X-A: Cache-Control:max-age=100 Vary:X-A > net / > disk=1"
        ),
        HTTPCacheRow(
            "4.1",
            "what was made for such a request goes before what fits all",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / Cache-Control:max-age=100 > net / ?X-A:1 > disk=1"
        ),
        HTTPCacheRow(
            "4.1",
            "a new answer that fits all takes the place of the one that was made for such a request",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / @reload ?X-A:1 Cache-Control:max-age=100 > net / "
                + "?X-A:1 > disk=2 / ?X-A:2 > disk=2"
        ),
        HTTPCacheRow(
            "4.1",
            "names in Vary have no case",
            "?X-A:1 Cache-Control:max-age=100 Vary:x-a > net / ?x-A:1 > disk"
        ),
        HTTPCacheRow(
            "4.1",
            "values have case",
            "?X-A:a Cache-Control:max-age=100 Vary:X-A > net / ?X-A:A Cache-Control:max-age=100 Vary:X-A > net"
        ),
        HTTPCacheRow(
            "4.1",
            "blanks around elements do not count",
            "?X-A:1,2 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1,~~2 > disk"
        ),
        HTTPCacheRow(
            "4.1",
            "two lines are one list",
            "?X-A:1 ?X-A:2 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1,2 > disk"
        ),
        HTTPCacheRow(
            "4.1",
            "the order of a list counts",
            "?X-A:1,2 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:2,1 Cache-Control:max-age=100 Vary:X-A > net"
        ),
        HTTPCacheRow(
            "4.1",
            "two fields select",
            "?X-A:1 ?X-B:1 Cache-Control:max-age=100 Vary:X-A,X-B > net / "
                + "?X-A:1 ?X-B:2 Cache-Control:max-age=100 Vary:X-A,X-B > net / ?X-B:1 ?X-A:1 > disk=1"
        ),
        HTTPCacheRow(
            "4.1",
            "two lines of Vary are one",
            "?X-A:1 ?X-B:1 Cache-Control:max-age=100 Vary:X-A Vary:X-B > net / ?X-A:1 ?X-B:2 > net"
        ),
        HTTPCacheRow(
            "4.1",
            "a star is never the same",
            "Cache-Control:max-age=100 Vary:* > net / Cache-Control:max-age=100 Vary:* > net noif"
        ),
        HTTPCacheRow(
            "4.1",
            "a star in a list is never the same",
            "Cache-Control:max-age=100 Vary:X-A,~* > net / > net noif"
        ),
        HTTPCacheRow(
            "4.1",
            "a field that is not named does not count",
            "?X-B:1 Cache-Control:max-age=100 Vary:X-A > net / ?X-B:2 > disk"
        ),
        HTTPCacheRow("4.1", "without Vary no field counts", "?X-A:1 Cache-Control:max-age=100 > net / ?X-A:2 > disk"),
        HTTPCacheRow("4.1", "an empty Vary is none", "?X-A:1 Cache-Control:max-age=100 Vary: > net / ?X-A:2 > disk"),
        HTTPCacheRow(
            "4.1",
            "a variant is validated by its own tag",
            "?X-A:1 ETag:\"a\" Vary:X-A > net / ?X-A:2 ETag:\"b\" Vary:X-A > net noif / "
                + "?X-A:1 304 ETag:\"a\" > reval=1 if / ?X-A:2 304 ETag:\"b\" > reval=2 if"
        ),
        HTTPCacheRow(
            "4.1",
            "the newest of several wins",
            "Cache-Control:max-age=100 Date:{0} > net / "
                + "+5 ?X-A:1 @reload Cache-Control:max-age=100 Vary:X-A Date:{0} > net / ?X-A:1 > disk=2"
        ),
        HTTPCacheRow(
            "4.1",
            "a new answer replaces its variant only",
            "?X-A:1 Cache-Control:max-age=10 Vary:X-A > net / "
                + "?X-A:2 Cache-Control:max-age=100 Vary:X-A > net / "
                + "+11 ?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1 > disk=3 / ?X-A:2 > disk=2"
        ),
        HTTPCacheRow(
            "4.1",
            "User-Agent is a field like others",
            "Cache-Control:max-age=100 Vary:User-Agent > net / "
                + "?User-Agent:other Cache-Control:max-age=100 Vary:User-Agent > net / > disk=1"
        ),
        HTTPCacheRow(
            "4",
            "a request for a part is not answered from disk",
            "Cache-Control:max-age=100 > net / ?Range:bytes=0-1 Cache-Control:max-age=100 > net / > disk=1"
        ),
    ]
}

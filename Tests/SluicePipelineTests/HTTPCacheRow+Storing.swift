extension HTTPCacheRow {
    /// §3: which answers are stored, and for whom.
    static let storing: [HTTPCacheRow] = [
        HTTPCacheRow("3", "an answer with max-age is stored", "Cache-Control:max-age=100 > net / > disk"),
        HTTPCacheRow("3", "an answer with Expires is stored", "Expires:{100} > net / > disk"),
        HTTPCacheRow("3", "no-store is not stored", "Cache-Control:no-store > net / > net noif"),
        HTTPCacheRow("3", "no-store beats max-age", "Cache-Control:max-age=100,no-store > net / > net noif"),
        HTTPCacheRow("3", "no-store in capitals", "Cache-Control:NO-STORE > net / > net noif"),
        HTTPCacheRow(
            "3",
            "no-store in a second line",
            "Cache-Control:max-age=100 Cache-Control:no-store > net / > net noif"
        ),
        HTTPCacheRow("3", "no-store with an argument", "Cache-Control:no-store=1,max-age=100 > net / > net noif"),
        HTTPCacheRow(
            "3",
            "private is for this cache",
            "Cache-Control:private,max-age=100 > net / > disk / +101 > net"
        ),
        HTTPCacheRow("3", "public changes nothing here", "Cache-Control:public,max-age=100 > net / > disk"),
        HTTPCacheRow(
            "3",
            "private with names changes nothing here",
            "Cache-Control:private=\"X-A\",max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "3",
            "an answer to HEAD is not stored",
            "HEAD Cache-Control:max-age=100 > net / Cache-Control:max-age=100 > net noif / > disk=2"
        ),
        HTTPCacheRow(
            "3",
            "an interim head is not stored",
            "Cache-Control:max-age=100 ETag:\"a\" 103 Cache-Control:no-store > net / > net noif"
        ),
        HTTPCacheRow(
            "3",
            "an interim head takes nothing from the final one",
            "Cache-Control:no-store X-Any:1 103 Cache-Control:max-age=100 > net / > disk X-Any:"
        ),
        HTTPCacheRow("3", "203 is stored", "203 Cache-Control:max-age=100 > net / > disk"),
        HTTPCacheRow("3", "404 is not stored", "404 Cache-Control:max-age=100 > fail / > net"),
        HTTPCacheRow(
            "3",
            "500 is not stored",
            "500 Cache-Control:max-age=100 > fail / Cache-Control:max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "3",
            "a failure leaves what is stored",
            "Cache-Control:max-age=10 > net / +11 500 > fail / @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "3",
            "an answer without any word is stored and asked about",
            "ETag:\"a\" > net / ETag:\"a\" 304 > reval if"
        ),
        HTTPCacheRow("3", "an answer without validator is fetched again", " > net / > net noif / @cacheOnly > disk"),
        HTTPCacheRow(
            "3",
            "must-understand outweighs no-store",
            "Cache-Control:must-understand,no-store,max-age=100 > net / > disk / +100 > net"
        ),
        HTTPCacheRow(
            "3",
            "must-understand alone changes nothing",
            "Cache-Control:must-understand,max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "3",
            "an unknown directive changes nothing",
            "Cache-Control:max-age=100,x-new=\"a,b\" > net / > disk"
        ),
        HTTPCacheRow(
            "3.1",
            "fields of the connection are not stored",
            "Cache-Control:max-age=0 ETag:\"a\" Connection:X-Hop X-Hop:1 > net / 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "3.1",
            "all other fields are stored",
            "Cache-Control:max-age=100 X-Any:1 Connection:X-Hop X-Hop:1 > net X-Hop:1 / "
                + "> disk X-Any:1 X-Hop: Connection:"
        ),
        HTTPCacheRow(
            "3.5",
            "an answer to credentials is stored for them",
            "#ann Cache-Control:max-age=100 > net / #ann > disk"
        ),
        HTTPCacheRow(
            "3.5",
            "credentials of others get their own",
            "#ann Cache-Control:max-age=100 > net / #bob Cache-Control:max-age=100 > net noif / "
                + "#ann > disk=1 / #bob > disk=2"
        ),
        HTTPCacheRow(
            "3.5",
            "no credentials get nothing of credentials",
            "#ann Cache-Control:max-age=100 > net / Cache-Control:max-age=100 > net / > disk=2 / #ann > disk=1"
        ),
        HTTPCacheRow(
            "3.5",
            "credentials get nothing of nobody's",
            "Cache-Control:max-age=100 > net / #ann Cache-Control:max-age=100 > net noif / > disk=1"
        ),
        HTTPCacheRow(
            "3.5",
            "Authorization by field is a credential",
            "?Authorization:A Cache-Control:max-age=100 > net / "
                + "?Authorization:B Cache-Control:max-age=100 > net / ?Authorization:A > disk=1"
        ),
        HTTPCacheRow(
            "3.5",
            "a cookie by field is a credential",
            "?Cookie:a=1 Cache-Control:max-age=100 > net / ?Cookie:a=2 Cache-Control:max-age=100 > net / "
                + "?Cookie:a=1 > disk=1"
        ),
        HTTPCacheRow(
            "3.5",
            "must-revalidate holds with credentials too",
            "#ann Cache-Control:max-age=10,must-revalidate ETag:\"a\" > net / +11 #ann 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow(
            "4",
            "a newer answer that is not stored takes all away that could answer",
            "Cache-Control:max-age=900 > net / +1 @reload ?X-A:1 Cache-Control:max-age=900 Vary:X-A > net / "
                + "+1 @reload ?X-A:1 Cache-Control:no-store > net / ?X-A:1 > net"
        ),
        HTTPCacheRow(
            "4",
            "a 304 that forbids storing takes all away that could answer",
            "Cache-Control:max-age=900 > net / +1 @reload ?X-A:1 Cache-Control:max-age=900 Vary:X-A ETag:\"b\" > net / "
                + "+1 @revalidate ?X-A:1 304 Cache-Control:no-store ETag:\"b\" > reval=2 if / ?X-A:1 > net noif"
        ),
        HTTPCacheRow(
            "4",
            "a newer answer of status 203 that is not stored takes the older one away",
            "Cache-Control:max-age=900 > net / +1 @reload 203 Cache-Control:no-store > net / @cacheElseLoad > net"
        ),
        HTTPCacheRow(
            "3.3",
            "a part is not stored",
            "?Range:bytes=0-1 206 Content-Range:bytes~0-1/2 Cache-Control:max-age=100 > net=1 / "
                + "Cache-Control:max-age=100 > net noif / > disk=2"
        ),
        HTTPCacheRow(
            "3.3",
            "what was cut off is not stored",
            "Cache-Control:max-age=100 cut > fail / Cache-Control:max-age=100 > net noif / > disk=2"
        ),
    ]
}

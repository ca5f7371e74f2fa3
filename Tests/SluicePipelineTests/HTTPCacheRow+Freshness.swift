extension HTTPCacheRow {
    /// §4.2, with the dates and ages of §1.2.2 and §5.1: how long an answer is fresh.
    static let freshness: [HTTPCacheRow] = [
        HTTPCacheRow("4.2", "fresh until the last second", "Cache-Control:max-age=100 > net / +99 > disk / +1 > net"),
        HTTPCacheRow(
            "4.2",
            "stale is asked about",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +10 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow("4.2.1", "max-age beats Expires", "Cache-Control:max-age=100 Expires:{-10} > net / > disk"),
        HTTPCacheRow("4.2.1", "max-age 0 beats Expires", "Cache-Control:max-age=0 Expires:{1000} > net / > net"),
        HTTPCacheRow(
            "4.2.1",
            "s-maxage is for shared caches",
            "Cache-Control:s-maxage=1000 ETag:\"a\" > net / 304 ETag:\"a\" > reval if"
        ),
        HTTPCacheRow("4.2.1", "s-maxage does not shorten", "Cache-Control:s-maxage=1,max-age=100 > net / +50 > disk"),
        HTTPCacheRow("4.2.1", "Expires counts from Date", "Expires:{100} Date:{50} > net / +60 > net"),
        HTTPCacheRow("4.2.1", "Expires in the past is stale", "Expires:{-1} > net / > net"),
        HTTPCacheRow("4.2.1", "Expires 0 is stale", "Expires:0 > net / > net"),
        HTTPCacheRow("4.2.1", "Expires -1 is stale", "Expires:-1 Last-Modified:{-100000} > net / > net if"),
        HTTPCacheRow(
            "4.2.1",
            "an Expires that is no date is stale",
            "Expires:tomorrow Last-Modified:{-100000} > net / 304 > reval if"
        ),
        HTTPCacheRow("4.2.1", "two different Expires are stale", "Expires:{100} Expires:{200} > net / > net"),
        HTTPCacheRow("4.2.1", "two equal Expires are one", "Expires:{100} Expires:{100} > net / > disk"),
        HTTPCacheRow(
            "4.2.1",
            "an Expires beyond all clocks is fresh",
            "Expires:Fri,~31~Dec~9999~23:59:59~GMT > net / +1000000 > disk / +2147483647 > net"
        ),
        HTTPCacheRow(
            "4.2.1",
            "Expires of the old form with two digits",
            "Date:Sunday,~06-Nov-94~08:49:37~GMT Expires:Sunday,~06-Nov-94~08:49:37~GMT > net / > net"
        ),
        HTTPCacheRow(
            "4.2.1",
            "two different max-age are stale",
            "Cache-Control:max-age=100,max-age=200 > net / > net"
        ),
        HTTPCacheRow("4.2.1", "two equal max-age are one", "Cache-Control:max-age=100,max-age=100 > net / > disk"),
        HTTPCacheRow(
            "4.2.1",
            "max-age on two lines",
            "Cache-Control:public Cache-Control:max-age=100 > net / > disk"
        ),
        HTTPCacheRow("4.2.1", "max-age in capitals", "Cache-Control:MAX-AGE=100 > net / > disk"),
        HTTPCacheRow("4.2.1", "max-age in quotes", "Cache-Control:max-age=\"100\" > net / > disk / +100 > net"),
        HTTPCacheRow("4.2.1", "max-age in single quotes is no number", "Cache-Control:max-age='100' > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with leading zeros", "Cache-Control:max-age=00100 > net / +50 > disk"),
        HTTPCacheRow("4.2.1", "a negative max-age is stale", "Cache-Control:max-age=-1 Expires:{100} > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with a fraction is stale", "Cache-Control:max-age=100.5 > net / > net"),
        HTTPCacheRow(
            "4.2.1",
            "max-age without a value is stale",
            "Cache-Control:max-age Expires:{100} > net / > net"
        ),
        HTTPCacheRow("4.2.1", "an empty max-age is stale", "Cache-Control:max-age= Expires:{100} > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with a letter is stale", "Cache-Control:max-age=100a > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with a plus is stale", "Cache-Control:max-age=+100 > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with a blank before is stale", "Cache-Control:max-age~=100 > net / > net"),
        HTTPCacheRow("4.2.1", "max-age with a blank behind is stale", "Cache-Control:max-age=~100 > net / > net"),
        HTTPCacheRow("4.2.1", "max-age and a semicolon is stale", "Cache-Control:max-age=100;public > net / > net"),
        HTTPCacheRow(
            "4.2.1",
            "a quote without end lets nothing be reused that stands behind it",
            "Cache-Control:x=\"a,max-age=100 > net / > net"
        ),
        HTTPCacheRow(
            "4.2.1",
            "a quote without end hides no no-store",
            "Cache-Control:max-age=100,x=\"a,no-store > net / > net"
        ),
        HTTPCacheRow(
            "4.2.1",
            "a stray quote hides no no-store",
            "Cache-Control:max-age=100\",no-store > net / > net"
        ),
        HTTPCacheRow(
            "5.2.2.3",
            "must-understand behind a quote without end does not outweigh no-store",
            "Cache-Control:no-store,max-age=100,\"a,must-understand > net / > net"
        ),
        HTTPCacheRow(
            "4.2.1",
            "a name in quotes is no directive",
            "Cache-Control:max-age=100,\"no-store\" > net / > disk"
        ),
        HTTPCacheRow(
            "4.2.1",
            "no-store in another's argument is none",
            "Cache-Control:x=\"no-store\",max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "4.2.1",
            "an escaped quote does not end a string",
            "Cache-Control:x=\"\\\",no-store\",max-age=100 > net / > disk"
        ),
        HTTPCacheRow("4.2.1", "empty elements are skipped", "Cache-Control:,,max-age=100,~, > net / > disk"),
        HTTPCacheRow(
            "1.2.2",
            "an overflowing max-age is a long time",
            "Cache-Control:max-age=99999999999999999999 > net / +2000000000 > disk / +147483648 > net"
        ),
        HTTPCacheRow(
            "1.2.2",
            "max-age of 2^31 is a long time",
            "Cache-Control:max-age=2147483648 > net / +2147483647 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "1.2.2",
            "an overflowing Age makes stale",
            "Cache-Control:max-age=100 Age:99999999999999999999 > net / > net"
        ),
        HTTPCacheRow(
            "4.2.2",
            "a tenth of the age since the last change",
            "Last-Modified:{-1000} Date:{0} > net / +99 > disk / +1 304 > reval if"
        ),
        HTTPCacheRow(
            "4.2.2",
            "a heuristic without Date counts from the arrival",
            "Last-Modified:{-1000} > net / +99 > disk / +1 > net if"
        ),
        HTTPCacheRow(
            "4.2.2",
            "no heuristic beside max-age",
            "Last-Modified:{-100000} Cache-Control:max-age=0 > net / > net if"
        ),
        HTTPCacheRow("4.2.2", "no heuristic beside Expires", "Last-Modified:{-100000} Expires:{0} > net / > net if"),
        HTTPCacheRow("4.2.2", "a change in the future has no heuristic", "Last-Modified:{1000} > net / > net if"),
        HTTPCacheRow("4.2.2", "a Last-Modified that is no date has none", "Last-Modified:once > net / > net if"),
        HTTPCacheRow("4.2.2", "203 has a heuristic", "203 Last-Modified:{-1000} > net / +99 > disk"),
        HTTPCacheRow("4.2.3", "Age counts", "Cache-Control:max-age=100 Age:60 > net / +39 > disk / +1 > net"),
        HTTPCacheRow("4.2.3", "Age beyond the lifetime is stale", "Cache-Control:max-age=100 Age:100 > net / > net"),
        HTTPCacheRow(
            "4.2.3",
            "Date in the past counts",
            "Cache-Control:max-age=100 Date:{-60} > net / +39 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "4.2.3",
            "the greater of Age and Date counts",
            "Cache-Control:max-age=100 Date:{-10} Age:90 > net / +9 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "4.2.3",
            "a Date in the future is no age",
            "Cache-Control:max-age=100 Date:{1000} > net / +99 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "4.2.3",
            "a Date that is none counts from the arrival",
            "Cache-Control:max-age=100 Date:now > net / +99 > disk"
        ),
        HTTPCacheRow(
            "5.1",
            "what is stored says its age",
            "Cache-Control:max-age=100 > net Age: / +7 > disk Age:7 / +60 > disk Age:67"
        ),
        HTTPCacheRow(
            "5.1",
            "its age takes the place of the one that it came with",
            "Cache-Control:max-age=100 Age:60 > net Age:60 / +7 > disk Age:67"
        ),
        HTTPCacheRow(
            "5.1",
            "the first of several ages counts",
            "Cache-Control:max-age=100 Age:10,90 > net / +89 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "5.1",
            "the first line of Age counts",
            "Cache-Control:max-age=100 Age:10 Age:90 > net / +89 > disk"
        ),
        HTTPCacheRow(
            "5.1",
            "an Age that is no number is ignored",
            "Cache-Control:max-age=100 Age:old > net / +99 > disk"
        ),
        HTTPCacheRow(
            "5.1",
            "a negative Age is ignored",
            "Cache-Control:max-age=100 Age:-50 > net / +99 > disk / +1 > net"
        ),
        HTTPCacheRow(
            "4.2.4",
            "stale is not used by itself",
            "Cache-Control:max-age=10 > net / +11 > net noif / > net"
        ),
        HTTPCacheRow(
            "4.2.4",
            "a stale answer of a server that fails is not used",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +11 500 > fail / +1 304 ETag:\"a\" > reval"
        ),
    ]
}

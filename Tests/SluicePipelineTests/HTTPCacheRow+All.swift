extension HTTPCacheRow {
    /// Every row has a path of its own; the section is the one that decides it.
    static let all: [HTTPCacheRow] = [
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
            "4.1",
            "the same field is the same variant",
            "?X-A:1 Cache-Control:max-age=100 Vary:X-A > net / ?X-A:1 > disk"
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
            "a quote without end swallows the rest",
            "Cache-Control:x=\"a,max-age=100 > net / > net"
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
            "Age of a 304 counts",
            "ETag:\"a\" Cache-Control:max-age=10 > net / +11 304 ETag:\"a\" Age:8 > reval / +1 > disk / "
                + "+1 304 > reval"
        ),
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
        HTTPCacheRow(
            "SPEC 4",
            "cacheElseLoad takes what is stale",
            "Cache-Control:max-age=10 > net / +1000 @cacheElseLoad > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheElseLoad takes what says no-cache",
            "Cache-Control:no-cache > net / @cacheElseLoad > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheElseLoad loads what is not stored",
            "@cacheElseLoad Cache-Control:max-age=10 > net / +11 @cacheElseLoad > disk / > net"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheElseLoad of another variant loads",
            "?X-A:1 Cache-Control:max-age=10 Vary:X-A > net / ?X-A:2 @cacheElseLoad > net"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheElseLoad of other credentials loads",
            "#ann Cache-Control:max-age=10 > net / #bob @cacheElseLoad > net"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheOnly takes what is stale",
            "Cache-Control:max-age=10 > net / +1000 @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheOnly without anything is refused",
            "@cacheOnly > reject / > net / @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheOnly of another variant is refused",
            "?X-A:1 Cache-Control:max-age=10 Vary:X-A > net / ?X-A:2 @cacheOnly > reject / ?X-A:1 @cacheOnly > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "cacheOnly of what says no-store is refused",
            "Cache-Control:no-store > net / @cacheOnly > reject"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "reload asks without condition and stores",
            "Cache-Control:max-age=100 ETag:\"a\" > net / "
                + "@reload Cache-Control:max-age=100 ETag:\"b\" > net noif / > disk=2"
        ),
        HTTPCacheRow("SPEC 4", "reload of nothing is a load", "@reload Cache-Control:max-age=100 > net / > disk"),
        HTTPCacheRow(
            "SPEC 4",
            "reload of what says no-store leaves the old one",
            "Cache-Control:max-age=100 > net / @reload Cache-Control:no-store > net / > disk=1"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "revalidate asks about what is fresh",
            "Cache-Control:max-age=100 ETag:\"a\" > net / @revalidate 304 ETag:\"a\" > reval if / > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "revalidate without validator fetches",
            "Cache-Control:max-age=100 > net / @revalidate Cache-Control:max-age=100 > net noif / > disk=2"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "revalidate of nothing is a load",
            "@revalidate Cache-Control:max-age=100 > net / > disk"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "refresh answers at once and asks behind",
            "Cache-Control:max-age=100 ETag:\"a\" > net / "
                + "@refresh Cache-Control:max-age=100 ETag:\"b\" > behind if / > disk=2"
        ),
        HTTPCacheRow(
            "SPEC 4",
            "refresh takes what is stale",
            "Cache-Control:max-age=10 ETag:\"a\" > net / +1000 @refresh 304 ETag:\"a\" > behind if / > disk=1"
        ),
        HTTPCacheRow("SPEC 4", "refresh of nothing is a load", "@refresh Cache-Control:max-age=100 > net / > disk"),
        HTTPCacheRow(
            "3.3",
            "a part is not stored",
            "?Range:bytes=0-1 206 Content-Range:bytes~0-1/2 Cache-Control:max-age=100 > net=1 / "
                + "Cache-Control:max-age=100 > net noif / > disk=2"
        ),
        HTTPCacheRow(
            "4",
            "a request for a part is not answered from disk",
            "Cache-Control:max-age=100 > net / ?Range:bytes=0-1 Cache-Control:max-age=100 > net / > disk=1"
        ),
        HTTPCacheRow(
            "4.3.2",
            "a condition of the user's own is passed on",
            "Cache-Control:max-age=100 ETag:\"a\" > net / ?If-None-Match:\"z\" ETag:\"a\" > net if / > disk=1"
        ),
    ]
}

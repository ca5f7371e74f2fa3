import Testing

/// Every MUST and MUST NOT of RFC 9111 §§3 to 5.3 that names a cache, and what shows that it is kept.
///
/// Here is only looked up that the rows are there: ``HTTPCacheRowTests`` runs them, in a real pipeline with a real
/// origin and a clock that it sets.
struct RFC9111Tests {
    /// One demand on a private cache, and the rows of ``HTTPCacheRow/all`` that would be answered otherwise without it.
    private struct Demand {
        let section: String
        let quote: String
        let rows: [String]
        /// Shows it where no row can.
        var test: String?
    }

    /// One that does not apply here.
    private struct Exception {
        let section: String
        let quote: String
        let reason: String
    }

    @Test func everyDemandIsShownByRows() {
        let names = Set(HTTPCacheRow.all.map(\.name))
        for demand in Self.demands {
            #expect(!demand.rows.isEmpty || demand.test != nil, "\(demand.section): \(demand.quote)")
            for row in demand.rows {
                #expect(names.contains(row), "§\(demand.section) names a row that is not there: \(row)")
            }
        }
        #expect(Self.demands.count == 35 && Self.exceptions.count == 17, "the table must not shrink")
        #expect(Self.exceptions.allSatisfy { !$0.reason.isEmpty })
    }

    private static let demands = [
        Demand(
            section: "3",
            quote: "MUST NOT store a response unless the request method is understood by the cache",
            rows: ["an answer to HEAD is not stored"]
        ),
        Demand(
            section: "3",
            quote: "MUST NOT store unless the response status code is final",
            rows: ["an interim head is not stored", "an interim head takes nothing from the final one"]
        ),
        Demand(
            section: "3",
            quote: "MUST NOT store if 206 or 304, or must-understand, unless the status code is understood",
            rows: ["a part is not stored", "must-understand outweighs no-store"]
        ),
        Demand(
            section: "3",
            quote: "MUST NOT store if the no-store cache directive is present in the response",
            rows: ["no-store is not stored", "no-store beats max-age", "no-store in a second line"]
        ),
        Demand(
            section: "3",
            quote:
                "MUST NOT store unless it contains public, private, Expires, max-age …, or a heuristically cacheable status",
            rows: ["203 is stored", "404 is not stored", "500 is not stored"]
        ),
        Demand(
            section: "3.1",
            quote:
                "MUST include all received response header fields when storing, the Connection field and those it names excepted",
            rows: ["all other fields are stored", "fields of the connection are not stored"]
        ),
        Demand(
            section: "3.2",
            quote:
                "MUST add each header field in the provided response, replacing values that are already present, Content-Length excepted",
            rows: ["a 304 brings a new lifetime", "the length of a 304 is not the body's"]
        ),
        Demand(
            section: "3.3",
            quote: "MUST NOT store partial content if it does not support Range and Content-Range",
            rows: ["a part is not stored"]
        ),
        Demand(
            section: "3.3",
            quote: "MUST NOT use an incomplete response to answer requests unless it has been made complete",
            rows: ["what was cut off is not stored", "a part is not stored"]
        ),
        Demand(
            section: "3.4",
            quote: "MUST update the stored header fields by those of the new response when combining the two",
            rows: [],
            test: "ResumeTests.whatIsStoredOfAContinuedBodyHasTheFieldsOfTheSecondAnswer"
        ),
        Demand(
            section: "4",
            quote: "MUST NOT reuse unless the presented target URI and that of the stored response match",
            rows: ["an answer with max-age is stored"]
        ),
        Demand(
            section: "4",
            quote: "MUST NOT reuse unless the request method associated with the stored response allows it",
            rows: ["an answer to HEAD is not stored", "a HEAD goes to the origin and leaves what is stored"]
        ),
        Demand(
            section: "4",
            quote: "MUST NOT reuse unless header fields nominated by the stored response match those presented",
            rows: ["another field is another variant", "a missing field is a variant", "two fields select"]
        ),
        Demand(
            section: "4",
            quote: "MUST NOT reuse if it contains the no-cache directive, unless it is successfully validated",
            rows: ["no-cache is asked about each time", "no-cache beside Expires"]
        ),
        Demand(
            section: "4",
            quote: "MUST NOT reuse unless it is fresh, allowed to be served stale, or successfully validated",
            rows: ["stale is not used by itself", "stale is asked about"]
        ),
        Demand(
            section: "4",
            quote: "MUST generate an Age header field, replacing any present, when it is used without validation",
            rows: ["what is stored says its age", "its age takes the place of the one that it came with"]
        ),
        Demand(
            section: "4",
            quote: "MUST use the most recent one (as determined by the Date header field)",
            rows: ["the newest of several wins"]
        ),
        Demand(
            section: "4.1",
            quote: "MUST NOT use that stored response without revalidation unless all nominated fields match",
            rows: [
                "another field is another variant", "a star is never the same", "a star in a list is never the same",
            ]
        ),
        Demand(
            section: "4.2.2",
            quote: "MUST NOT use heuristics to determine freshness when an explicit expiration time is present",
            rows: ["no heuristic beside max-age", "no heuristic beside Expires"]
        ),
        Demand(
            section: "4.2.4",
            quote: "MUST NOT generate a stale response if it is prohibited by an explicit in-protocol directive",
            rows: ["max-stale does not beat must-revalidate", "max-stale does not beat no-cache"]
        ),
        Demand(
            section: "4.2.4",
            quote: "MUST NOT generate a stale response unless it is disconnected or explicitly permitted",
            rows: ["stale is not used by itself", "a stale answer of a server that fails is not used"]
        ),
        Demand(
            section: "4.3.1",
            quote: "MUST send the relevant entity tags if they were provided in the stored responses being validated",
            rows: ["an entity tag is sent", "a weak entity tag is sent"]
        ),
        Demand(
            section: "4.3.3",
            quote: "MUST use the full response to satisfy the request",
            rows: ["a 200 replaces what is stored", "a 200 with the same tag replaces too"]
        ),
        Demand(
            section: "4.3.4",
            quote: "MUST update its header fields with those provided in the 304",
            rows: [
                "a 304 makes fresh again", "a 304 may say no-cache", "a 304 with a new Expires",
                "a 304 that says no-store is the last answer of what is stored",
            ]
        ),
        Demand(
            section: "4.3.4",
            quote: "MUST NOT use the new response to update any stored responses if no strong validator is the same",
            rows: ["a 304 of another tag makes it ask for all"]
        ),
        Demand(
            section: "5.2",
            quote: "MUST obey the Cache-Control directives defined in this section",
            rows: [
                "max-age takes what is young enough", "max-stale with a limit", "min-fresh wants it fresh for longer",
            ]
        ),
        Demand(
            section: "5.2.1.5",
            quote: "MUST NOT store any part of either this request or any response to it",
            rows: ["no-store of a request is not stored"]
        ),
        Demand(
            section: "5.2.2.2",
            quote: "MUST NOT reuse that response to satisfy another request until it has been successfully validated",
            rows: ["must-revalidate when stale is asked"]
        ),
        Demand(
            section: "5.2.2.2",
            quote: "MUST NOT ignore the must-revalidate directive; if disconnected, MUST generate an error",
            rows: ["must-revalidate and a server that fails", "must-revalidate forbids stale-while-revalidate"]
        ),
        Demand(
            section: "5.2.2.4",
            quote: "MUST NOT be used to satisfy any other request without forwarding it for validation",
            rows: ["no-cache is asked about each time", "no-cache forbids stale-if-error"]
        ),
        Demand(
            section: "5.2.2.4",
            quote: "the listed fields MUST NOT be used without validation",
            rows: ["no-cache with names is asked about too"]
        ),
        Demand(
            section: "5.2.2.5",
            quote: "MUST NOT store any part of either the immediate request or the response",
            rows: ["no-store is not stored", "no-store in capitals", "no-store with an argument"]
        ),
        Demand(
            section: "5.2.3",
            quote: "MUST ignore unrecognized cache directives",
            rows: ["an unknown directive changes nothing", "an unknown directive of a request is ignored"]
        ),
        Demand(
            section: "5.3",
            quote: "MUST interpret invalid date formats, especially the value \"0\", as a time in the past",
            rows: ["Expires 0 is stale", "Expires -1 is stale", "an Expires that is no date is stale"]
        ),
        Demand(
            section: "5.3",
            quote: "MUST ignore the Expires header field if there is max-age",
            rows: ["max-age beats Expires", "max-age 0 beats Expires"]
        ),
    ]

    private static let exceptions = [
        Exception(section: "3", quote: "if the cache is shared: the private directive", reason: "Sluice's is private"),
        Exception(
            section: "3",
            quote: "if the cache is shared: the Authorization field",
            reason: "Sluice's is private"
        ),
        Exception(
            section: "3.1",
            quote: "MUST NOT store fields specific to a proxy",
            reason: "no row: shown by the test of what is storable, since the origin is no proxy"
        ),
        Exception(
            section: "3.3",
            quote: "MUST NOT send a partial response without marking it as 206",
            reason: "nothing partial is stored, so none is sent"
        ),
        Exception(section: "3.5", quote: "a shared cache MUST NOT use …", reason: "Sluice's is private"),
        Exception(
            section: "4",
            quote: "MUST write through requests with unsafe methods",
            reason: "shown by the test of POST: such requests never look at what is stored"
        ),
        Exception(section: "4", quote: "a cache without a clock MUST revalidate", reason: "it has a clock"),
        Exception(
            section: "4.3.2",
            quote: "MUST NOT evaluate conditions that only apply to an origin server",
            reason: "the user's conditions are passed on and never evaluated"
        ),
        Exception(section: "4.3.2", quote: "a received If-Range …", reason: "passed on as well"),
        Exception(
            section: "4.3.5",
            quote: "freshening by HEAD",
            reason: "optional: what differs is dropped and the rest refreshed, shown by the rows of HEAD"
        ),
        Exception(
            section: "4.4",
            quote: "MUST invalidate the target URI on a non-error answer to an unsafe request",
            reason: "shown by the test of POST, which no row can send"
        ),
        Exception(
            section: "4.4",
            quote: "MUST NOT invalidate what has another origin",
            reason: "shown by the test of the rules: the rows have one origin"
        ),
        Exception(section: "5.2", quote: "a proxy MUST pass cache directives through", reason: "it is no proxy"),
        Exception(section: "5.2.2.6", quote: "an intermediary MUST NOT transform", reason: "it is no intermediary"),
        Exception(section: "5.2.2.7", quote: "a shared cache MUST NOT store private", reason: "Sluice's is private"),
        Exception(section: "5.2.2.8", quote: "proxy-revalidate", reason: "for shared caches"),
        Exception(section: "5.2.2.10", quote: "s-maxage", reason: "for shared caches"),
    ]
}

extension HTTPCacheRow {
    /// Every row has a path of its own; the section is the one that decides it.
    static let all: [HTTPCacheRow] =
        storing + selecting + freshness + validation + requestDirectives
        + responseDirectives + policies
}

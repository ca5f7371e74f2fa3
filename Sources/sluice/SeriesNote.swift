internal import SluiceUI

/// What is said of URLs on a command line that the prompt of the dashboard would take for many.
///
/// Each is asked for as it stands, as any other: a program that calls `get` counts on one
/// request for each URL, and the dashboard takes the same words. Whoever came from the prompt,
/// or from curl, is told what to do.
enum SeriesNote {
    /// For `get`.
    ///
    /// - Returns: `nil` if no URL holds a series, or what was meant as one.
    static func text(_ urls: [String]) -> String? {
        group(in: urls).map { group in
            "\(group) is asked for as it stands: get spells no series out. "
                + "Let the shell do that, as {1..3} without quotes does, or type it at the prompt of 'sluice'."
        }
    }

    /// The same for the dashboard, in one row of the screen.
    static func ofDashboard(_ urls: [String]) -> String? {
        group(in: urls).map { group in
            "\(group) is asked for as it stands: typed at the prompt it is a series"
        }
    }

    private static func group(in urls: [String]) -> String? {
        for url in urls {
            if let group = URLSeries(url).firstGroup { return group }
        }
        return nil
    }
}

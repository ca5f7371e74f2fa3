internal import SluiceUI

/// What `get` says of URLs that the prompt of the dashboard would take for many.
///
/// It asks for each as it stands, as for any other: a program that calls it counts on one
/// request for each URL. Whoever came from the prompt, or from curl, is told what to do.
enum SeriesNote {
    /// - Returns: `nil` if no URL holds a series, or what was meant as one.
    static func text(_ urls: [String]) -> String? {
        for url in urls {
            guard let group = URLSeries(url).firstGroup else { continue }
            return "\(group) is asked for as it stands: get spells no series out. "
                + "Let the shell do that, as {1..3} without quotes does, or type it at the prompt of 'sluice'."
        }
        return nil
    }
}

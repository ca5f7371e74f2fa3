import SluiceCore

/// A file that may have the bytes of a body already, and stays then.
///
/// Only a name: what has it is looked at when it is asked for, on any thread.
struct FileTwin: Sendable {
    let folder: Folder
    let name: String

    /// What has the name, if it has just the bytes of an open file; blocks for as long as both take to read.
    func file(equalTo descriptor: Int32) -> SavedFile? { folder.file(name, equalTo: descriptor, isDated: false) }
}

package import CairnDefinition

/// The result of reading the folder of definitions.
package struct FolderReading: Sendable {
  /// One file of the folder.
  package struct File: Sendable {
    /// The file's path.
    package let name: String
    /// A number that differs from the number in the previous reading if the file's text has changed.
    package let version: Int
    package let content: Result<LoadedDefinition, Unusable>

    package init(_ name: String, version: Int, _ content: Result<LoadedDefinition, Unusable>) {
      self.name = name
      self.version = version
      self.content = content
    }
  }

  /// The reason why a file cannot be used. Each problem is formatted as `cairn check` prints it.
  package struct Unusable: Error, Hashable, Sendable {
    package let problems: [String]

    package init(_ problems: [String]) { self.problems = problems }
  }

  /// The files, sorted by name.
  package let files: [File]
  /// The reason why the folder could not be read; `nil` if the folder was read.
  package let fault: String?

  /// Creates a successful reading of these files, some of which may be invalid.
  package init(_ files: [File]) {
    self.files = files
    fault = nil
  }

  /// Creates a failed reading: the folder could not be read, or it contains no definitions.
  package init(fault: String) {
    files = []
    self.fault = fault
  }
}

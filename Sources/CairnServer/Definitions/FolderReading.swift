package import CairnDefinition

/// The result of reading the folder of definitions.
package struct FolderReading: Sendable {
  /// A file of the folder.
  package struct File: Sendable {
    /// The path of the file.
    package let name: String
    /// A number that changes when the text of the file changes.
    package let version: Int
    package let content: Result<LoadedDefinition, Unusable>

    package init(_ name: String, version: Int, _ content: Result<LoadedDefinition, Unusable>) {
      self.name = name
      self.version = version
      self.content = content
    }
  }

  /// The problems that make a file unusable, each as `cairn check` prints it.
  package struct Unusable: Error, Hashable, Sendable {
    package let problems: [String]

    package init(_ problems: [String]) { self.problems = problems }
  }

  /// The files, sorted by name.
  package let files: [File]
  /// The reason why the folder could not be read; `nil` if it was read.
  package let fault: String?

  /// The result of reading a folder with these files.
  package init(_ files: [File]) {
    self.files = files
    fault = nil
  }

  /// The result for a folder that could not be read or is empty.
  package init(fault: String) {
    files = []
    self.fault = fault
  }
}

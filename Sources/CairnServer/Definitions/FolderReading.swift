package import CairnDefinition

/// The result of reading the folder of definitions.
package struct FolderReading: Sendable {
  /// One file of it.
  package struct File: Sendable {
    /// Its path.
    package let name: String
    /// Another number whenever its text is another one than at the look before.
    package let version: Int
    package let content: Result<LoadedDefinition, Unusable>

    package init(_ name: String, version: Int, _ content: Result<LoadedDefinition, Unusable>) {
      self.name = name
      self.version = version
      self.content = content
    }
  }

  /// Why a file cannot be used: each problem as `cairn check` prints it.
  package struct Unusable: Error, Hashable, Sendable {
    package let problems: [String]

    package init(_ problems: [String]) { self.problems = problems }
  }

  /// By name.
  package let files: [File]
  /// Why nothing is known of its files; nil: they are known.
  package let fault: String?

  /// The existing files.
  package init(_ files: [File]) {
    self.files = files
    fault = nil
  }

  /// The folder could not be read, or nothing is in it.
  package init(fault: String) {
    files = []
    self.fault = fault
  }
}

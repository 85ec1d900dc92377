import CBuild

/// The version of the program, from the file VERSION of the repository.
enum Version {
  static let text = String(String(cString: cairn_build_version()).prefix { !$0.isNewline })
  /// The commit of the build; `nil` if the build did not set it.
  static let commit = String(cString: cairn_build_commit()).nonEmpty
  /// The version, followed by the commit if it is known.
  static let whole = commit.map { "\(text) (\($0))" } ?? text
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

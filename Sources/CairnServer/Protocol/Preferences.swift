/// What a client would like its answer to be (RFC 7240).
package enum Preferences {
  /// Whether a field `Prefer` asks for the short answer (4.2).
  package static func askForMinimum(_ field: String) -> Bool {
    field.lowercased().split(separator: ",").contains { preference in
      preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" } == "return=minimal"
    }
  }
}

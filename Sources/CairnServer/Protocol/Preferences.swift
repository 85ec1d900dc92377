/// What a client would like its answer to be (RFC 7240).
package enum Preferences {
  /// Whether a field `Prefer` asks for the short answer (4.2).
  package static func askForMinimum(_ field: String) -> Bool {
    field.lowercased().split(separator: ",").contains { preference in
      preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" } == "return=minimal"
    }
  }

  /// For how many seconds a field `Prefer` asks to wait (4.3); nil: it does not.
  package static func wait(_ field: String) -> Int? {
    for preference in field.lowercased().split(separator: ",") {
      let parts = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }.split(separator: "=")
      guard parts.count == 2, parts[0] == "wait", parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
      return Int(parts[1]) ?? .max
    }
    return nil
  }
}

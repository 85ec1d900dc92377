import CairnCore

// Secrets from the environment that the database would store in plain text.
extension Lint {
  /// Words that the names of secret variables end with.
  private static let secretWords: Set<Substring> = [
    "SECRET", "TOKEN", "PASSWORD", "PASSWD", "CREDENTIAL", "CREDENTIALS", "KEY", "APIKEY", "PRIVATE",
  ]

  /// Facts that read a variable whose name suggests a secret. The journal stores facts in plain text, because every replay reads them. A header or
  /// `oauth` reads a secret when the request is sent, and the journal never contains it.
  func secretsInFacts() -> [Finding] {
    definition.facts.sorted { $0.key < $1.key }.compactMap { name, fact in
      guard let variable = fact.environment, let last = variable.split(separator: "_").last, Self.secretWords.contains(last) else {
        return nil
      }
      return Finding(
        position: places.name("facts", name),
        message: "the fact \(name) keeps \(variable) in plain text in every session's journal; a secret belongs into a header, "
          + "headers: { …: { env: \(variable) } }, which is read when the call leaves")
    }
  }
}

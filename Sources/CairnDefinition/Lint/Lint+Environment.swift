import CairnCore

// Reports secrets from the environment that the database would store in plain text.
extension Lint {
  /// Words at the end of a variable's name that suggest a secret.
  private static let secretWords: Set<Substring> = [
    "SECRET", "TOKEN", "PASSWORD", "PASSWD", "CREDENTIAL", "CREDENTIALS", "KEY", "APIKEY", "PRIVATE",
  ]

  /// Reports facts that read a variable whose name suggests a secret. The journal stores facts in plain text, because every replay reads
  /// them. A header or `oauth` reads a secret when the request is sent, and the journal never contains it.
  func secretsInFacts() -> [Finding] {
    definition.facts.sortedByKey.compactMap { name, fact in
      guard let variable = fact.environment, let last = variable.split(separator: "_").last, Self.secretWords.contains(last) else {
        return nil
      }
      return Finding(
        position: places.name("facts", name),
        message: "the fact `\(name)` stores `\(variable)` in plain text in every session's journal; put a secret into a header, "
          + "`headers: { …: { env: \(variable) } }`, which is read when the request is sent")
    }
  }

  /// Reports environment variables of the service itself, which definitions cannot read: its keys, its database, and the variables of the
  /// database's client library.
  func withheldVariables() -> [Finding] {
    var names =
      definition.facts.values.compactMap(\.environment)
      + (definition.loads.compactMap(\.request) + definition.submissions.map(\.request)).flatMap(\.variables.values)
    if let oauth = definition.oauth {
      names += [oauth.authorizationEndpoint, oauth.tokenEndpoint, oauth.clientID, oauth.redirectURL].compactMap(\.name)
      if let secret = oauth.clientSecret { names.append(secret) }
    }
    return Set(names).filter { $0.hasPrefix("PG") || Self.own.contains($0) }.sorted().map { name in
      Finding(
        position: places.variable(name),
        message:
          "`\(name)` is reserved for the service, like all variables that begin with `PG`, and definitions cannot read it; use another name"
      )
    }
  }

  /// Variables of the service that contain secrets.
  private static let own: Set<String> = ["CAIRN_DATABASE", "CAIRN_SECRET_KEY", "CAIRN_OPERATOR_KEY", "CAIRN_OPERATOR_KEYS"]
}

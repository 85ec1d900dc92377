import CairnCore

/// Environment variables that look like settings but are not. The start reports them, because a misspelt name would otherwise have no
/// effect.
struct UnknownVariables {
  /// One line each, sorted by name; no value is in it.
  let texts: [String]

  /// Those of `environment` that neither a setting is spelled after nor a definition names (`named`).
  init(in environment: [String: String], named: some Sequence<String>) {
    let settings = Setting.all.map(\.variable) + ["CAIRN_CONFIG"]
    let known = Set(settings).union(named).union(Self.ofTheBuild).union(Self.ofSessions)
    texts = environment.keys.filter { $0.hasPrefix("CAIRN_") && !known.contains($0) }.sorted().map { name in
      "\(name) is no setting" + (NearestName.of(name, among: settings).map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// Read by Package.swift, and left in many an author's environment.
  private static let ofTheBuild = ["CAIRN_STRICT", "CAIRN_BENCHMARKS"]

  /// Read by `cairn session`, and set beside a service that is tried out.
  private static let ofSessions = ["CAIRN_URL", "CAIRN_SESSION", "CAIRN_SECRET"]
}

import CairnCore

/// Environment variables that look like settings but are not. The service reports them when it starts, because a misspelt name would
/// otherwise be ignored without a message.
struct UnknownVariables {
  /// One line per variable, sorted by name. The lines contain no values.
  let texts: [String]

  /// Finds the variables in `environment` that begin with `CAIRN_` and belong neither to a setting nor to a definition. `named` contains
  /// the variables of the definitions.
  init(in environment: [String: String], named: some Sequence<String>) {
    let settings = Setting.all.map(\.variable) + ["CAIRN_CONFIG"]
    let known = Set(settings).union(named).union(Self.ofTheBuild).union(Self.ofSessions)
    texts = environment.keys.filter { $0.hasPrefix("CAIRN_") && !known.contains($0) }.sorted().map { name in
      "\(name) is not a setting" + ((Setting.renamed[name] ?? NearestName.of(name, among: settings)).map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// Variables for the build that a developer may have set (Package.swift reads them). They are not reported.
  private static let ofTheBuild = ["CAIRN_STRICT", "CAIRN_BENCHMARKS"]

  /// Variables that `cairn session` reads. A developer may have set them on the machine on which the service runs. They are not reported.
  private static let ofSessions = ["CAIRN_URL", "CAIRN_SESSION", "CAIRN_SECRET"]
}

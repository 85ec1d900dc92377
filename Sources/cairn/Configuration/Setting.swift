/// One setting of `cairn serve`: a row of `Setting.all`. Its flag, its variable, its key in the file, its help and its place in the
/// configuration follow from the row.
struct Setting: Sendable {
  /// Key in the configuration file. Flag and variable are spelled after it.
  let name: String
  /// Help of the flag, without the default and the variable; empty for a secret.
  let help: String
  /// The placeholder of the value in the help; `nil`: the flag's own name.
  let valueName: String?
  /// Value that applies if no layer sets it.
  let fallback: String?
  /// The default that the help shows for a setting without a `fallback`.
  let absence: String
  /// Whether the value may not be seen in a list of processes, in messages or by definitions.
  let isSecret: Bool
  /// The allowed values, and the member of the configuration that gets the value.
  let value: SettingValue

  init(
    _ name: String, _ help: String, _ valueName: String? = nil, default fallback: String? = nil, absence: String = "none",
    _ value: SettingValue
  ) {
    (self.name, self.help, self.valueName, self.value) = (name, help, valueName, value)
    (self.fallback, self.absence) = (fallback, absence)
    isSecret = false
  }

  init(secret name: String, _ value: SettingValue) {
    (self.name, self.value) = (name, value)
    (help, valueName, fallback, absence) = ("", nil, nil, "")
    isSecret = true
  }

  /// All settings.
  static let all = network + service + bounds

  /// The setting with this name.
  static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  /// `connectionsPerAddress` → `--connections-per-address`; `nil` for a secret.
  var flag: String? {
    isSecret ? nil : "--" + words.joined(separator: "-")
  }

  /// `connectionsPerAddress` → `CAIRN_CONNECTIONS_PER_ADDRESS`.
  var variable: String { "CAIRN_" + words.joined(separator: "_").uppercased() }

  /// The variables that definitions may read from an environment: all but empty ones and the service's own secrets.
  static func forDefinitions(_ environment: [String: String]) -> @Sendable (String) -> String? {
    let own = Set(all.filter(\.isSecret).map(\.variable))
    return { name in own.contains(name) ? nil : environment[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  private var words: [String] {
    var words: [String] = [""]
    for character in name {
      if character.isUppercase { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}

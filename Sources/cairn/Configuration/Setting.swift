/// One setting of `cairn serve`. Its flag, environment variable, key in the file, help text and place in the configuration are derived from
/// its row in `Setting.all`.
struct Setting: Sendable {
  /// The key in the configuration file. The names of the flag and the environment variable are derived from it.
  let name: String
  /// The flag's help text without the default and the variable; empty for a secret.
  let help: String
  /// The placeholder of the value in the help text; if it is `nil`, the help text shows the flag's name.
  let valueName: String?
  /// The default value; `nil` if the setting has no value unless a layer sets it.
  let fallback: String?
  /// The text that the help shows as the default if `fallback` is `nil`.
  let absence: String
  /// Whether the value is secret. A secret has no flag and appears in no message, and definitions cannot read its variable.
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

  /// Returns the setting with this name; `nil` if the name is unknown.
  static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  /// The flag: `connectionsPerAddress` becomes `--connections-per-address`. `nil` for a secret.
  var flag: String? {
    isSecret ? nil : "--" + words.joined(separator: "-")
  }

  /// The environment variable: `connectionsPerAddress` becomes `CAIRN_CONNECTIONS_PER_ADDRESS`.
  var variable: String { "CAIRN_" + words.joined(separator: "_").uppercased() }

  /// Returns a function that reads the environment variables for definitions. It hides empty variables, the service's own settings, and
  /// database URLs that contain a password. It also hides the variables of the database's client library (`PGPASSWORD` and all others that
  /// begin with PG).
  static func forDefinitions(_ environment: [String: String]) -> @Sendable (String) -> String? {
    let own = Set(all.map(\.variable))
    return { name in
      guard let text = environment[name], !text.isEmpty, !own.contains(name), !name.hasPrefix("PG"), !DatabaseURL.hasPassword(text) else {
        return nil
      }
      return text
    }
  }

  private var words: [String] {
    var words: [String] = [""]
    var isInAbbreviation = false
    for (character, next) in zip(name, name.dropFirst() + "a") {
      // The last of several capitals begins the next word: `databaseURLFile` consists of three words.
      if character.isUppercase, !isInAbbreviation || next.isLowercase { words.append("") }
      isInAbbreviation = character.isUppercase
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}

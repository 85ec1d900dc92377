/// An invalid setting. The text of the error never contains a secret.
enum SettingFault: Error {
  /// A value that the setting does not allow. `source` is the flag, the variable or the line of the file that sets it.
  case badValue(Setting, value: String, source: String, expected: String)
  case unknownKey(String, place: String, nearest: String?)
  case malformed(file: String, reason: String)
  case missingFile(String)
  /// A database that cannot be used with these settings. The text contains no password.
  case database(String)
  /// Invalid operator keys. `reason` contains none of the keys.
  case operatorKeys(source: String, reason: String)

  var text: String {
    switch self {
    case .badValue(let setting, let value, let source, let expected):
      setting.isSecret ? "\(source) must be \(expected)" : "\(source) must be \(expected), not \"\(value)\""
    case .unknownKey(let key, let place, let nearest):
      "\(place): the setting \(key) is unknown; "
        + (nearest.map { "did you mean \($0)?" } ?? "the settings are \(Setting.all.map(\.name).joined(separator: ", "))")
    case .malformed(let file, let reason): "\(file): \(reason)"
    case .missingFile(let file): "\(file): the configuration file does not exist or cannot be read"
    case .database(let reason): reason
    case .operatorKeys(let source, let reason): "\(source): \(reason)"
    }
  }
}

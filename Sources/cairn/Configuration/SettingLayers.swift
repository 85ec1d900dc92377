/// Who says what a setting is: flags over the environment over the file over the defaults.
struct SettingLayers {
  let flags: [Setting: String]
  let environment: [String: String]
  let file: ConfigurationFile

  /// The uppermost layer that says something, and its name for messages.
  func given(_ setting: Setting) -> (text: String, source: String)? {
    if let flag = setting.flag, let text = flags[setting] { return (text, flag) }
    if let text = environment[setting.variable], !text.isEmpty { return (text, setting.variable) }
    return file.values[setting]
  }

  /// What a setting is and who says so, for people: of a secret only that it is there.
  func shown(_ setting: Setting) -> (text: String, source: String) {
    guard let (text, source) = given(setting) else { return (setting.fallback ?? "not set", "default") }
    return (setting.isSecret ? "set" : text, source)
  }

  /// What a setting is, read; throws who said what cannot be, and what could.
  func read<Value>(_ setting: Setting, _ expected: String, _ convert: (String) -> Value?) throws(SettingFault) -> Value {
    let (text, source) = given(setting) ?? (setting.fallback ?? "", "the default of \(setting.rawValue)")
    guard let value = convert(text) else { throw .badValue(setting, value: text, source: source, expected: expected) }
    return value
  }
}

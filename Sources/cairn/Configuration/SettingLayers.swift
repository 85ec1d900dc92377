/// The layers that set settings: flags over the environment over the file over the defaults.
struct SettingLayers {
  /// By the settings' names.
  let flags: [String: String]
  let environment: [String: String]
  let file: ConfigurationFile

  /// The uppermost layer that sets a setting, and its name for messages.
  func given(_ setting: Setting) -> (text: String, source: String)? {
    if let flag = setting.flag, let text = flags[setting.name] { return (text, flag) }
    if let text = environment[setting.variable], !text.isEmpty { return (text, setting.variable) }
    return file.values[setting.name]
  }

  /// The value of a setting and the layer that sets it, for people: of a secret only that it is set.
  func shown(_ setting: Setting) -> (text: String, source: String) {
    guard let (text, source) = given(setting) else { return (setting.fallback ?? "not set", "default") }
    return (setting.isSecret ? "set" : text, source)
  }

  /// Stores the value of a setting. A setting that no layer sets and that has no default changes nothing.
  func apply(_ setting: Setting, to configuration: inout Configuration) throws(SettingFault) {
    guard let (text, source) = given(setting) ?? setting.fallback.map({ ($0, "the default of \(setting.name)") }) else { return }
    guard setting.value.store(text, source, &configuration) else {
      throw .badValue(setting, value: text, source: source, expected: setting.value.expected)
    }
  }
}

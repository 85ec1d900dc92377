/// The layers from which the values of settings are read. Flags take precedence over the environment, then the file, then the defaults.
struct SettingLayers {
  /// The values of the flags by the settings' names.
  let flags: [String: String]
  let environment: [String: String]
  let file: ConfigurationFile

  /// Returns the value of a setting, and its source for messages. The flag is read first, then the environment, then the file. Returns
  /// `nil` if none of them has a value.
  func given(_ setting: Setting) -> (text: String, source: String)? {
    if let flag = setting.flag, let text = flags[setting.name] { return (text, flag) }
    if let text = environment[setting.variable], !text.isEmpty { return (text, setting.variable) }
    return file.values[setting.name]
  }

  /// Returns the value of a setting for display, and the layer that sets it. The value of a secret is replaced by `set`, and a password in
  /// a URL is removed.
  func shown(_ setting: Setting) -> (text: String, source: String) {
    guard let (text, source) = given(setting) else { return (setting.fallback ?? "not set", "default") }
    return (setting.isSecret ? "set" : DatabaseURL.withoutPassword(text), source)
  }

  /// Stores the value of a setting in the configuration. Does nothing if no layer sets the setting and it has no default. Throws if the
  /// value is not allowed.
  func apply(_ setting: Setting, to configuration: inout Configuration) throws(SettingFault) {
    guard let (text, source) = given(setting) ?? setting.fallback.map({ ($0, "the default of \(setting.name)") }) else { return }
    guard setting.value.store(text, source, &configuration) else {
      throw .badValue(setting, value: text, source: source, expected: setting.value.expected)
    }
  }
}

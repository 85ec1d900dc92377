import ArgumentParser

extension Option where Value == String? {
  /// Creates the option of a setting. The option has the property's name and the setting's help text.
  init(setting name: String) {
    self.init(name: .long, parsing: .next, help: ArgumentHelp(name) { "default: \($0.fallback ?? $0.absence); \($0.variable)" })
  }
}

extension Flag where Value == Bool {
  /// Creates the flag of a setting. The flag has the property's name and the setting's help text.
  init(wrappedValue: Bool, setting name: String) {
    self.init(wrappedValue: wrappedValue, name: .long, help: ArgumentHelp(name) { $0.variable })
  }
}

extension ArgumentHelp {
  fileprivate init(_ name: String, _ remark: (Setting) -> String) {
    // A test prints the help of every command, so an option that names an unknown setting fails there.
    guard let setting = Setting.named(name) else { preconditionFailure("there is no setting \(name)") }
    self.init("\(setting.help) (\(remark(setting)))", valueName: setting.valueName)
  }
}

extension ParsableArguments {
  /// The values of the settings that were given on the command line, by name. Options are found by the names of their properties, as the
  /// parser finds them.
  var givenSettings: [String: String] {
    var given: [String: String] = [:]
    for child in Mirror(reflecting: self).children {
      let name = String(child.label?.dropFirst() ?? "")
      guard Setting.named(name) != nil else { continue }
      if let option = child.value as? Option<String?> { given[name] = option.wrappedValue }
      if let flag = child.value as? Flag<Bool>, flag.wrappedValue { given[name] = "true" }
    }
    return given
  }
}

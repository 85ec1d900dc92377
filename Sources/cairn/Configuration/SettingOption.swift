import ArgumentParser

extension Option where Value == String? {
  /// The option of a setting, named like the property, with the help of the setting's row.
  init(setting name: String) {
    self.init(name: .long, parsing: .next, help: ArgumentHelp(name) { "default: \($0.fallback ?? $0.absence); \($0.variable)" })
  }
}

extension Flag where Value == Bool {
  /// The same for a setting that a flag switches on.
  init(wrappedValue: Bool, setting name: String) {
    self.init(wrappedValue: wrappedValue, name: .long, help: ArgumentHelp(name) { $0.variable })
  }
}

extension ArgumentHelp {
  fileprivate init(_ name: String, _ remark: (Setting) -> String) {
    // Tests print the help of every command, and so create all options.
    guard let setting = Setting.named(name) else { preconditionFailure("there is no setting \(name)") }
    self.init("\(setting.help) (\(remark(setting)))", valueName: setting.valueName)
  }
}

extension ParsableArguments {
  /// The settings among the options that were given, by name. Options are found by the names of their properties, as by the parser.
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

/// The declared params of a step or screen, prepared for checks. Checking valid params takes one lookup per param and no allocation.
struct ParameterContract: Sendable {
  let definitions: [String: ParameterDefinition]
  private let entries: [Entry]

  /// A declared param. A class, because a check would otherwise copy the whole definition.
  private final class Entry: Sendable {
    let name: String
    let definition: ParameterDefinition

    init(_ name: String, _ definition: ParameterDefinition) {
      self.name = name
      self.definition = definition
    }
  }

  init(_ definitions: [String: ParameterDefinition]) {
    self.definitions = definitions
    entries = definitions.sortedByKey.map { Entry($0.key, $0.value) }
  }

  /// The params with their defaults; `nil` if a param is invalid. `ParameterDefinition.check` returns the reasons.
  func checked(_ given: [String: Value]) -> [String: Value]? {
    if entries.isEmpty { return given.isEmpty ? given : nil }
    if given.count == entries.count {
      var isFitting = true
      for (name, value) in given where isFitting { isFitting = fits(name, value) }
      if isFitting { return given }
    }
    var params = given
    var known = 0
    for entry in entries {
      let (name, definition) = (entry.name, entry.definition)
      if let value = given.value(exactly: name) {
        known += 1
        if value == .null && definition.isOptional {
          params[name] = nil
        } else if !definition.fits(value) {
          return nil
        }
      } else if let value = definition.defaultValue {
        params[name] = value
      } else if !definition.isOptional {
        return nil
      }
    }
    return known == given.count ? params : nil
  }

  /// Whether a param is declared, valid and needs no conversion. A contract has few params, so comparing names is faster than hashing.
  private func fits(_ name: String, _ value: Value) -> Bool {
    for entry in entries where entry.name.isExactly(name) {
      return entry.definition.fits(value) && !(entry.definition.isOptional && value == .null)
    }
    return false
  }

  /// The faults of the given params with the names of the params, sorted by name.
  func faults(of given: [String: Value]) -> [(name: String, fault: String)] {
    ParameterDefinition.check(given, against: definitions).faults
  }
}

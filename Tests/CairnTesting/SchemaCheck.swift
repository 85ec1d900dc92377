package import CairnCore
import Foundation

/// Validates a value against a schema of the OpenAPI document. Supports only the keywords that occur there. If `isWhole` is true, an object
/// may contain only members that its schema names.
package struct SchemaCheck {
  private let document: Value
  private var isWhole: Bool

  /// `document` contains the schemas to which references point.
  package init(document: Value, isWhole: Bool = true) {
    self.document = document
    self.isWhole = isWhole
  }

  /// The faults of a value, each with its path.
  package func faults(_ value: Value, _ schema: Value, _ place: String = "") -> [String] {
    if case .string(let reference)? = schema["$ref"] {
      let path = reference.dropFirst(2).split(separator: "/").map(String.init)
      guard let target = document.at(path) else { return ["\(place): \(reference) dangles"] }
      var siblings = self
      siblings.isWhole = false
      return faults(value, target, place) + siblings.faults(value, schema.without("$ref"), place)
    }
    return ofKind(value, schema, place) + ofChoice(value, schema, place) + inside(value, schema, place)
  }

  private func ofKind(_ value: Value, _ schema: Value, _ place: String) -> [String] {
    var faults: [String] = []
    if case .string(let type)? = schema["type"], type != value.kindName, !(type == "number" && value.kindName == "integer") {
      faults.append("\(place): \(value.kindName), not \(type)")
    }
    if let only = schema["const"], only != value { faults.append("\(place): not \(only)") }
    if case .array(let words)? = schema["enum"], !words.contains(value) { faults.append("\(place): \(value) is none of \(words)") }
    if case .string(let pattern)? = schema["pattern"], case .string(let text) = value,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      faults.append("\(place): \(text) is not like \(pattern)")
    }
    if case .integer(let number) = value {
      if case .integer(let least)? = schema["minimum"], number < least { faults.append("\(place): \(number) < \(least)") }
      if case .integer(let most)? = schema["maximum"], number > most { faults.append("\(place): \(number) > \(most)") }
    }
    if case .integer(let most)? = schema["maxLength"], case .string(let text) = value, text.unicodeScalars.count > most {
      faults.append("\(place): longer than \(most)")
    }
    return faults
  }

  private func ofChoice(_ value: Value, _ schema: Value, _ place: String) -> [String] {
    var faults: [String] = []
    for (word, isOne) in [("oneOf", true), ("anyOf", false)] {
      guard case .array(let schemas)? = schema[word] else { continue }
      let each = schemas.map { self.faults(value, $0, place) }
      let fitting = each.count { $0.isEmpty }
      if fitting == 0 { faults.append("\(place): none of \(word): \(each.min { $0.count < $1.count } ?? [])") }
      if isOne, fitting > 1 { faults.append("\(place): \(fitting) of oneOf") }
    }
    if let other = schema["not"], self.faults(value, other, place).isEmpty { faults.append("\(place): is what it must not be") }
    return faults
  }

  private func inside(_ value: Value, _ schema: Value, _ place: String) -> [String] {
    switch value {
    case .array(let elements):
      var faults: [String] = []
      if case .integer(let least)? = schema["minItems"], elements.count < least { faults.append("\(place): fewer than \(least)") }
      if case .integer(let most)? = schema["maxItems"], elements.count > most { faults.append("\(place): more than \(most)") }
      guard let item = schema["items"] else { return faults }
      return faults + elements.enumerated().flatMap { self.faults($1, item, "\(place)/\($0)") }
    case .object(let members):
      var faults: [String] = []
      if case .array(let required)? = schema["required"] {
        for case .string(let name) in required where members[name] == nil { faults.append("\(place): no \(name)") }
      }
      let further = schema["additionalProperties"]
      for (name, member) in members {
        if let property = schema["properties"]?[name] {
          faults += self.faults(member, property, "\(place)/\(name)")
        } else if let further {
          if further == false { faults.append("\(place): \(name) is no member") }
          if case .object = further { faults += self.faults(member, further, "\(place)/\(name)") }
        } else if isWhole, schema["properties"] != nil {
          faults.append("\(place): \(name) stands in no schema")
        }
      }
      return faults
    default: return []
    }
  }
}

extension Value {
  fileprivate func without(_ name: String) -> Value {
    guard case .object(var members) = self else { return self }
    members[name] = nil
    return .object(members)
  }
}

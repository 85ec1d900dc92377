import CairnCore

// Writes the types of an app in Swift: enums with associated values, and structs. Steps can be encoded, screens can be decoded, and facts
// can be encoded and decoded. If the module CairnClient is available, its sessions get methods for these types.
extension AppTypes {
  var swift: String {
    var lines = header.map { "// \($0)" } + ["", Self.swiftValue]
    lines += swiftEnum("Step", "A step that a client may post.", steps, word: "step")
    lines += swiftEnum("Screen", "A screen of the stack, with its params.", screens, word: "screen", isAnswered: true)
    lines += ofFlows.flatMap { swiftFlows($0, $1, $2) }
    lines += swiftStruct(
      "Facts", "The facts that a session shows to its client.", [("accessToken", "accessToken", "Bool?")] + swiftMembers(facts),
      Self.rules(of: facts))
    let set = facts.filter(\.isClients)
    lines += swiftStruct("ClientFacts", "The facts that a session's own client may set.", swiftMembers(set), Self.rules(of: set))
    return (lines + [Self.swiftMethods]).joined(separator: "\n") + "\n"
  }

  private func swiftEnum(_ name: String, _ about: String, _ shapes: [Shape], word: String, isAnswered: Bool = false) -> [String] {
    var names = Names(reserved: ReservedWords.swift.union(["other"]))
    let cases = shapes.map { shape in (name: names.member(shape.name), wire: quoted(shape.name), members: swiftMembers(shape.fields)) }
    let rules = shapes.map { Self.rules(of: $0.fields) }
    var lines = ["/// \(about)", "public enum \(name): \(isAnswered ? "Decodable" : "Encodable"), Hashable, Sendable {"]
    for (one, rules) in zip(cases, rules) {
      lines += rules.map { "  /// \($0)" }
      let values = one.members.map { "\($0.name): \($0.type)\($0.type.hasSuffix("?") ? " = nil" : "")" }.joined(separator: ", ")
      lines.append("  case \(one.name)\(values.isEmpty ? "" : "(\(values))")")
    }
    if isAnswered { lines += ["  /// A screen of another version of the definition.", "  case other(String)"] }
    lines += isAnswered ? decoding(cases, word) : encoding(cases, word)
    return lines + ["}", ""]
  }

  private typealias SwiftMember = (name: String, wire: String, type: String)

  private func encoding(_ cases: [(name: String, wire: String, members: [SwiftMember])], _ word: String) -> [String] {
    var lines = ["", "  public func encode(to encoder: any Encoder) throws {"]
    guard !cases.isEmpty else { return lines + ["  }"] }
    lines += ["    var object = encoder.container(keyedBy: WireName.self)", "    switch self {"]
    for one in cases {
      let values = one.members.indices.map { "let value\($0)" }.joined(separator: ", ")
      lines.append("    case .\(one.name)\(values.isEmpty ? "" : "(\(values))"):")
      lines.append("      try object.encode(\(one.wire), forKey: WireName(\"\(word)\"))")
      guard !one.members.isEmpty else { continue }
      lines.append("      var params = object.nestedContainer(keyedBy: WireName.self, forKey: WireName(\"params\"))")
      for (index, member) in one.members.enumerated() {
        let verb = member.type.hasSuffix("?") ? "encodeIfPresent" : "encode"
        lines.append("      try params.\(verb)(value\(index), forKey: WireName(\(quoted(member.wire))))")
      }
    }
    return lines + ["    }", "  }"]
  }

  private func decoding(_ cases: [(name: String, wire: String, members: [SwiftMember])], _ word: String) -> [String] {
    var lines = ["", "  public init(from decoder: any Decoder) throws {"]
    lines.append("    let object = try decoder.container(keyedBy: WireName.self)")
    lines += ["    let name = try object.decode(String.self, forKey: WireName(\"\(word)\"))", "    switch name {"]
    for one in cases {
      lines.append("    case \(one.wire):")
      guard !one.members.isEmpty else {
        lines.append("      self = .\(one.name)")
        continue
      }
      // If `params` is missing, all params are missing.
      lines.append("      let params = try? object.nestedContainer(keyedBy: WireName.self, forKey: WireName(\"params\"))")
      let values = one.members.map { member in
        let type = member.type.hasSuffix("?") ? String(member.type.dropLast()) : member.type
        let key = "forKey: WireName(\(quoted(member.wire)))"
        return member.type.hasSuffix("?")
          ? "\(member.name): try params?.decodeIfPresent(\(type).self, \(key))"
          : "\(member.name): try WireName.found(params).decode(\(type).self, \(key))"
      }
      lines.append("      self = .\(one.name)(\(values.joined(separator: ", ")))")
    }
    return lines + ["    default: self = .other(name)", "    }", "  }"]
  }

  private func swiftFlows(_ name: String, _ about: String, _ shapes: [Shape]) -> [String] {
    var names = Names(reserved: ReservedWords.swift)
    let structs = shapes.map {
      swiftStruct(names.type($0.name), "Of the flow \($0.name).", swiftMembers($0.fields), Self.rules(of: $0.fields))
    }
    return ["/// \(about)", "public enum \(name) {"] + Self.nested(structs) + ["}", ""]
  }

  private func swiftStruct(_ name: String, _ about: String, _ members: [SwiftMember], _ rules: [String]) -> [String] {
    var lines = ["/// \(about)"] + rules.map { "/// \($0)" } + ["public struct \(name): Codable, Hashable, Sendable {"]
    lines += members.map { "  public var \($0.name): \($0.type)" }
    let values = members.map { "\($0.name): \($0.type)\($0.type.hasSuffix("?") ? " = nil" : "")" }.joined(separator: ", ")
    lines += ["", "  public init(\(values)) {"] + members.map { "    self.\($0.name) = \($0.name)" } + ["  }"]
    if !members.isEmpty {
      lines +=
        ["", "  private enum CodingKeys: String, CodingKey {"] + members.map { "    case \($0.name) = \(quoted($0.wire))" } + ["  }"]
    }
    return lines + ["}", ""]
  }

  private func swiftMembers(_ fields: [Field]) -> [SwiftMember] {
    var names = Names(reserved: ReservedWords.swift.union(["accessToken"]))
    return fields.map { (names.member($0.name), $0.name, swiftType($0.type) + ($0.isOptional ? "?" : "")) }
  }

  private func swiftType(_ definition: ParameterDefinition) -> String {
    switch definition.kind {
    case .string: "String"
    case .integer: "Int"
    case .number: "Double"
    case .boolean: "Bool"
    case .list: "[\(swiftType(definition.bounds?.item ?? ParameterDefinition(.any)))]"
    case .any: "WireValue"
    }
  }

  private func quoted(_ text: String) -> String { text.quoted { "\\u{\($0.hexadecimal)}" } }
}

import CairnAPI
import CairnCore
import Foundation
import Testing

@testable import CairnClient

/// The client's types against the schemas that the service publishes of its responses.
@Suite struct `Members of the client's types` {
  /// Each type with the schema of what it is read from.
  private let types: [(type: any Decodable.Type, component: Component)] = [
    (SessionView.self, .startedSession), (SessionPage.self, .sessionPage), (SessionPage.Item.self, .sessionItem),
    (PendingItem.self, .pending), (ActionAnswer.self, .performed), (ActionsAnswer.self, .performedAll), (HistoryPage.self, .historyPage),
    (HistoryEntry.self, .entry), (HistoryEntry.self, .heardChange), (HistoryEntry.self, .heardStart), (AppDescription.self, .app),
    (AppVersion.self, .version), (PutAnswer.self, .published), (ServiceProblem.self, .problem), (AppsBody.self, .apps),
    (EndedBody.self, .endedSessions), (Tree.self, .node), (RouteEntry.self, .route), (Acceptance.self, .acceptance), (Login.self, .login),
    (Content.self, .content),
  ]

  /// A member that comes from a header.
  private static let exempt: Set<String> = ["ServiceProblem.retryAfter"]

  private func read<Body: Decodable>(_ type: Body.Type, _ value: Value) throws -> Body {
    try JSONDecoder().decode(type, from: Data(try JSONText.bytes(value)))
  }

  @Test func `every member of a type is read from a member that the schema has`() throws {
    for (type, component) in types {
      let body = try read(type, SchemaExample(isWhole: true).value(of: component))
      let missing = missing(in: body, "\(type)", isTop: true)
      #expect(missing.filter { !Self.exempt.contains($0) } == [], "\(type) of \(component.rawValue)")
    }
  }

  @Test func `no type needs a member that a response may lack`() throws {
    // Only a minimal response to an array of actions lacks its tree, and the client never asks for one.
    for (type, component) in types where type != ActionsAnswer.self {
      #expect(throws: Never.self, "\(type) of \(component.rawValue)") {
        try read(type, SchemaExample(isWhole: false).value(of: component))
      }
    }
  }

  /// The members without a value, also in nested types that have no schema of their own.
  private func missing(in value: Any, _ name: String, isTop: Bool = false) -> [String] {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { missing(in: $0.value, name) } ?? [name]
    }
    if mirror.displayStyle == .collection { return mirror.children.flatMap { missing(in: $0.value, name) } }
    let type = Swift.type(of: value)
    guard mirror.displayStyle == .struct, isTop || String(reflecting: type).hasPrefix("CairnClient."),
      isTop || !types.contains(where: { $0.type == type })
    else { return [] }
    return mirror.children.flatMap { missing(in: $0.value, "\(name).\($0.label ?? "")") }
  }
}

/// Makes a value that fits a schema: with every member that the schema names, or only with the required ones.
private struct SchemaExample {
  let isWhole: Bool

  private static let schemas = Dictionary(
    uniqueKeysWithValues: Component.allCases.map { ($0.rawValue, $0.schema) } + ChangeSchema.kinds.map { ($0.name, $0.schema) })

  /// Examples of texts with a pattern.
  private static let texts: [String: Value] = [
    "NodeID": "n1", "LinkID": "l1", "SessionID": "saaaaaaaaaaaaaaaaaaaaaaa", "Time": "2026-01-01T00:00:00.000Z", "Duration": "1s",
  ]

  func value(of component: Component) -> Value { value(component.reference.value, depth: 0) }

  /// Members that may be missing are left out in great depth, because a node has nodes.
  private func value(_ schema: Value, depth: Int) -> Value {
    if case .string(let reference)? = schema["$ref"] {
      let name = String(reference.split(separator: "/").last ?? "")
      return Self.texts[name] ?? value(Self.schemas[name]?.value ?? .null, depth: depth + 1)
    }
    for keyword in ["enum", "oneOf", "anyOf"] {
      if case .array(let choices)? = schema[keyword], let first = choices.first {
        return keyword == "enum" ? first : value(first, depth: depth)
      }
    }
    switch schema["type"] {
    case "boolean": return true
    case "integer": return schema["minimum"] ?? 1
    case "array": return depth > 6 ? [] : .array([value(schema["items"] ?? [:], depth: depth)])
    case "object": return object(schema, depth: depth)
    default: return "text"
    }
  }

  private func object(_ schema: Value, depth: Int) -> Value {
    var members: [String: Value] = [:]
    if case .object(let properties)? = schema["properties"] {
      var required: [Value] = []
      if case .array(let names)? = schema["required"] { required = names }
      for (name, property) in properties where (isWhole && depth < 5) || required.contains(.string(name)) {
        members[name] = value(property, depth: depth)
      }
    }
    if isWhole, case .object? = schema["additionalProperties"], let element = schema["additionalProperties"] {
      members["name"] = value(element, depth: depth)
    }
    return .object(members)
  }
}

import CairnAPI
import CairnCore
import Foundation
import Testing

@testable import CairnClient

/// Compares the client's types with the schemas of the service's responses.
@Suite struct `Members of the types of the client` {
  /// Each type, and the schema of the JSON from which it is decoded.
  private let types: [(type: any Decodable.Type, component: Component)] = [
    (SessionView.self, .startedSession), (SessionPage.self, .sessionPage), (SessionPage.Item.self, .sessionItem),
    (PendingItem.self, .pending), (ActionAnswer.self, .performed), (ActionsAnswer.self, .performedAll), (HistoryPage.self, .historyPage),
    (HistoryEntry.self, .entry), (HistoryEntry.self, .heardChange), (HistoryEntry.self, .heardStart), (AppDescription.self, .app),
    (AppVersion.self, .version), (PutAnswer.self, .published), (ServiceProblem.self, .problem), (AppsBody.self, .apps),
    (EndedBody.self, .endedSessions), (Tree.self, .node), (RouteEntry.self, .route), (Acceptance.self, .acceptance), (Login.self, .login),
    (Content.self, .content),
  ]

  /// Members that the client sets from a header, so that no body contains them.
  private static let exempt: Set<String> = ["ServiceProblem.retryAfter"]

  private func read<Body: Decodable>(_ type: Body.Type, _ value: Value) throws -> Body {
    try JSONDecoder().decode(type, from: Data(try JSONText.bytes(value)))
  }

  @Test func `every member of a type is decoded from a member of the schema`() throws {
    for (type, component) in types {
      let body = try read(type, SchemaExample(isWhole: true).value(of: component))
      let missing = missing(in: body, "\(type)", isTop: true)
      #expect(missing.filter { !Self.exempt.contains($0) } == [], "\(type) of \(component.rawValue)")
    }
  }

  @Test func `a type requires only members that the schema requires`() throws {
    // Only a minimal response to an array of actions omits its tree, and the client never requests one.
    for (type, component) in types where type != ActionsAnswer.self {
      #expect(throws: Never.self, "\(type) of \(component.rawValue)") {
        try read(type, SchemaExample(isWhole: false).value(of: component))
      }
    }
  }

  /// The members without a value, including those of nested types that have no schema.
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

/// Generates a value for a schema, either with every member that the schema names or with the required ones only.
private struct SchemaExample {
  let isWhole: Bool

  private static let schemas = Dictionary(
    uniqueKeysWithValues: Component.allCases.map { ($0.rawValue, $0.schema) } + ChangeSchema.kinds.map { ($0.name, $0.schema) })

  /// Examples of texts with a pattern.
  private static let texts: [String: Value] = [
    "NodeID": "n1", "LinkID": "l1", "QuestionID": "q1", "HeldID": "h1", "SessionID": "saaaaaaaaaaaaaaaaaaaaaaa",
    "Time": "2026-01-01T00:00:00.000Z", "Duration": "1s",
  ]

  func value(of component: Component) -> Value { value(component.reference.value, depth: 0) }

  /// Optional members are omitted beyond a certain depth, because nodes contain nodes.
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

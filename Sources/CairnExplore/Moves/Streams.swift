import CairnCore
import CairnDefinition

/// The names that share values, such as a param that is passed on under another name, a fact that is written from a param, or a member of content. A
/// literal is worth trying for a name if it is compared with any name of the same group.
struct Streams: Sendable {
  private var banks: [String: String] = [:]
  private var literals: [String: [Value]] = [:]

  init(_ definition: Definition, _ conditions: [Guard]) {
    for (name, expression) in definition.bindings { join(name, expression) }
    let tests = conditions.flatMap(\.leaves).flatMap(\.tests)
    for (name, test) in tests { for expression in test { join(name, expression) } }
    for (name, test) in tests { literals[bank(of: name), default: []] += test.flatMap(\.literals) }
  }

  /// Whether a condition compares the value with this name, or with a name that shares its values.
  func reaches(_ value: Value, from name: String) -> Bool { literals[bank(of: name)]?.contains(value) ?? false }

  private mutating func join(_ name: String, _ expression: Expression) {
    if case .object(let members) = expression { for (name, member) in members { join(name, member) } }
    for source in expression.references.compactMap(\.streamName) {
      let (one, two) = (bank(of: name), bank(of: source))
      if one != two { banks[one] = two }
    }
  }

  private func bank(of name: String) -> String {
    var name = name
    while let next = banks[name] { name = next }
    return name
  }
}

extension Definition {
  /// The named values that the definition assigns: params of steps and screens, results, facts, and members of content.
  fileprivate var bindings: [(name: String, value: Expression)] {
    var all = templates.flatMap { $0.with.map { ($0.key, $0.value) } }
    for arrival in flows.values.flatMap(\.arrivals) + operations.flatMap(\.parts.makes) {
      all += arrival.contribution.with.map { ($0.key, $0.value) }
      if let content = arrival.contribution.content { all.append(("content", content)) }
    }
    for site in operations {
      switch site.operation {
      case .write(let values), .give(let values): all += values.map { ($0.key, $0.value) }
      case .content(let edits, _):
        for edit in edits {
          let members = edit.path.compactMap { if case .literal(.string(let member)) = $0 { member } else { nil } }
          guard let name = members.last else { continue }
          all += edit.expressions.map { (name, $0) }
        }
      default: break
      }
    }
    return all
  }
}

extension Guard {
  /// The named values that the condition compares.
  fileprivate var tests: [(name: String, values: [Expression])] {
    switch self {
    case .fact(let name, _), .param(let name, _): [(name, compared)]
    case .content(let path, _, _), .result(let path, _): [(path.streamName ?? "content", compared)]
    case .visible(_, let with), .screen(_, let with): with.map { ($0.key, [$0.value]) }
    case .status, .flow, .all, .any, .not: []
    }
  }
}

extension Reference {
  /// The name of the referenced value; `nil` if the engine creates the value.
  fileprivate var streamName: String? {
    switch self {
    case .param(let name), .fact(let name), .error(let name): name
    case .content(let path, _), .screen(let path), .result(let path): path.streamName ?? "content"
    case .authorizeURL: nil
    }
  }
}

extension [String] {
  /// The last member that is not a param.
  fileprivate var streamName: String? { last { $0.first != "$" } }
}

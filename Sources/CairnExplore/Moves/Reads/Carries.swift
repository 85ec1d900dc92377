import CairnCore
import CairnDefinition

/// The values that an app copies as a whole from content or a result into content. Conditions then read the members of the copies.
struct Carries {
  /// The target path and the source path of each copied value.
  private(set) var all: [(path: [String], source: [String])] = []
  /// The params of steps that carry a value, with the path of its source.
  private var sources: [String: [[String]]] = [:]

  init(_ definition: Definition) {
    for (name, expression) in definition.templates.flatMap(\.with) {
      switch expression {
      case .reference(.content(let path, _)), .reference(.result(let path)): sources[name, default: []].append(path)
      default: break
      }
    }
    for arrival in definition.flows.values.flatMap(\.arrivals) + definition.operations.flatMap(\.parts.makes) {
      if let content = arrival.contribution.content { note(content, at: []) }
    }
    for load in definition.loads { if case .value(let value) = load.source { note(value, at: []) } }
    for site in definition.operations {
      guard case .content(let edits, _) = site.operation else { continue }
      for edit in edits {
        guard case .set(let value) = edit.change else { continue }
        let path = edit.path.map { if case .literal(.string(let member)) = $0 { member } else { "$" } }
        if !path.contains("$") { note(value, at: path) }
      }
    }
  }

  private mutating func note(_ expression: Expression, at path: [String]) {
    switch expression {
    case .object(let members): for (name, member) in members { note(member, at: path + [name]) }
    case .reference(.content(let source, _)), .reference(.result(let source)): add(path, source)
    case .reference(.param(let name)): for source in sources[name] ?? [] { add(path, source) }
    case .literal, .reference, .template, .array, .calculation: break
    }
  }

  private mutating func add(_ path: [String], _ source: [String]) { if path != source { all.append((path, source)) } }
}

import CairnCore
import CairnDefinition

/// The paths in loaded content and results that a definition reads. If a param selects a member, as in `rows.$id`, the values of the param
/// are tried as the names of members, so that a load returns rows that steps can select.
struct ContentReads: Sendable {
  /// A path that is read, and the values to try at it. A `nil` value represents a missing member.
  struct Read: Sendable {
    var path: [String]
    /// The name of the screen or flow that owns the content; `nil` if the content of any node is read.
    var holder: String?
    var values: [Value?]

    fileprivate var order: String {
      (path + [holder ?? ""] + values.map { $0?.shortText ?? "" }).joined(separator: " ")
    }
  }

  private(set) var all: [Read] = []

  /// The number of rows that a load returns for one param.
  private static let rows = 2

  init(_ definition: Definition, _ palette: Palette) {
    let spelling = Spelling(definition, palette)
    func note(_ path: [String], of holder: String?, _ values: [Value?]) {
      all += spelling.paths(path).map { Read(path: $0, holder: holder, values: values) }
    }
    for leaf in definition.guards.flatMap(\.leaves) {
      switch leaf {
      case .content(let path, _, let place):
        note(path, of: place?.name, palette.values(likeThose: leaf.compared.flatMap(\.literals), named: path.streamName))
      case .result(let path, _): note(path, of: nil, palette.values(likeThose: leaf.compared.flatMap(\.literals), named: path.streamName))
      default: break
      }
    }
    for (name, type, expression) in definition.givenParams {
      let isRead = palette.streams.isRead(name)
      for case .content(let path, let place) in expression.references where path.hasParam || type.isRequired || isRead {
        let values = palette.values(of: type, named: name)
        note(path, of: place?.name, (isRead ? values : Array(values.prefix(1))) + [nil])
      }
    }
    // Facts, other content and results get values from content, and conditions read the values there.
    for (name, expression) in definition.bindings where palette.streams.isRead(name) {
      for case .content(let path, let place) in expression.references {
        note(path, of: place?.name, palette.values(likeThose: palette.streams.known(name), named: name))
      }
    }
    for (path, source) in Carries(definition).all {
      for read in all where read.path.count > path.count && read.path.starts(with: path) {
        all.append(Read(path: source + read.path.dropFirst(path.count), holder: nil, values: read.values))
      }
    }
    for case .content(let path, let place) in definition.expressions.flatMap(\.references) where path.hasParam {
      note(path, of: place?.name, [palette.strings[0], nil])
    }
    // The definition lists the reads in no defined order, so they are sorted.
    all.sort { $0.order < $1.order }
  }

  /// The values to try in the content of a node with this name, by path and without duplicates.
  func choices(of owner: String?) -> [[String]: [Value?]] {
    var choices: [[String]: [Value?]] = [:]
    for read in all where !read.path.isEmpty && (read.holder == nil || read.holder == owner) {
      choices[read.path] = (choices[read.path] ?? []) + read.values.filter { !(choices[read.path] ?? []).contains($0) }
    }
    return choices
  }

  /// Replaces each param in a path, such as `$id`, by its values.
  private struct Spelling {
    let definition: Definition
    let palette: Palette

    init(_ definition: Definition, _ palette: Palette) {
      self.definition = definition
      self.palette = palette
    }

    func paths(_ path: [String]) -> [[String]] {
      var paths: [[String]] = [[]]
      for member in path {
        let words = member.first == "$" ? words(of: member.dropFirst().split(separator: ".").last.map(String.init) ?? "") : [member]
        paths = paths.flatMap { path in words.map { path + [$0] } }
      }
      return paths
    }

    /// The names of members that a param can select, one for each of its values. The last name represents all values that no condition
    /// names.
    private func words(of param: String) -> [String] {
      let types = definition.steps.sortedByKey.compactMap { $0.value.params[param] }
      let values = types.isEmpty ? palette.strings : types.flatMap { palette.values(of: $0, named: param) }.compactMap(\.self)
      let fresh = values.first(where: palette.fresh.contains)
      let others = values.filter { !palette.fresh.contains($0) }.prefix(ContentReads.rows - 1)
      return (Array(others) + [fresh].compactMap(\.self)).map(\.shortText)
    }
  }
}

extension Definition {
  /// The values that are passed to params of steps and screens, with the type of each param.
  fileprivate var givenParams: [(name: String, type: ParameterDefinition, value: Expression)] {
    let arrivals = flows.values.flatMap(\.arrivals) + operations.flatMap(\.parts.makes)
    let given =
      templates.map { (steps[$0.step]?.params ?? [:], $0.with) }
      + arrivals.map {
        (screens[$0.contribution.screen ?? ""]?.params ?? flows[$0.contribution.flow ?? ""]?.params ?? [:], $0.contribution.with)
      }
    return given.flatMap { params, with in with.compactMap { name, value in params[name].map { (name, $0, value) } } }
      .sorted { $0.0 < $1.0 }
  }
}

extension ParameterDefinition {
  fileprivate var isRequired: Bool { !isOptional && defaultValue == nil }
}

extension [String] {
  fileprivate var hasParam: Bool { contains { $0.first == "$" } }
}

import Yams

/// Renames repeated keys, because the parser stops at the first repeated key of a map. A name of the same length replaces the first of two
/// equal keys, and the text is parsed again. So the rest of the file is read too. The reader gets the original name and reports the error.
struct RepeatedKeys {
  /// The maximum number of renamed keys. It is limited because each renamed key requires another parse.
  private static let limit = 50
  /// The private use character of the first renamed key. A renamed key consists of copies of its character.
  private static let firstMark: UInt32 = 0xE000

  private var names: [String: String] = [:]

  /// The key as it is written in the file.
  func name(of key: String) -> String { names[key] ?? key }

  mutating func compose(_ text: String) throws(UnreadableText) -> Yams.Node? {
    var text = text
    while true {
      do {
        return try Yams.compose(yaml: text, Resolver.basic)
      } catch let error as YamlError {
        guard case .duplicatedKeysInMapping(let keys, let context) = error, let renamed = rename(keys, at: context.mark, in: text)
        else { throw UnreadableText(error) }
        text = renamed
      } catch {
        throw UnreadableText(.reader(problem: "\(error)", offset: 0, value: 0, yaml: text))
      }
    }
  }

  private mutating func rename(_ keys: [String], at mark: Mark, in text: String) -> String? {
    guard names.count < RepeatedKeys.limit, let stand = Unicode.Scalar(RepeatedKeys.firstMark + UInt32(names.count)) else {
      return nil
    }
    var scalars = Array(text.unicodeScalars)
    var line = 1
    var index = 0
    while line < mark.line, index < scalars.count {
      if scalars[index] == "\n" { line += 1 }
      index += 1
    }
    index += mark.column - 1
    if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    let rest = scalars[min(index, scalars.count)...]
    guard let key = keys.first(where: { !$0.isEmpty && rest.starts(with: $0.unicodeScalars) }) else { return nil }
    let length = key.unicodeScalars.count
    let replacement = Array(repeating: stand, count: length)
    scalars.replaceSubrange(index..<index + length, with: replacement)
    names[String(String.UnicodeScalarView(replacement))] = key
    return String(String.UnicodeScalarView(scalars))
  }
}

/// An error of the YAML parser, with its position.
struct UnreadableText: Error {
  var problem: (position: Position, message: String)

  init(_ error: YamlError) {
    func place(_ mark: Mark) -> Position { Position(line: mark.line, column: mark.column) }
    switch error {
    case .composer(_, "found undefined alias", let mark, let yaml):
      let name = Self.alias(at: mark, in: yaml)
      problem = (place(mark), "not YAML: the alias `*\(name)` has no anchor `&\(name)` before it")
    case .scanner(let context, let text, let mark, _), .parser(let context, let text, let mark, _),
      .composer(let context, let text, let mark, _):
      let about = context.map { "\($0.text), " } ?? ""
      problem = (place(mark), "not YAML: \(about)\(text)")
    case .reader(let text, let offset, _, let yaml):
      var position = Position(line: 1, column: 1)
      for scalar in yaml.prefix(offset ?? 0).unicodeScalars {
        position =
          scalar == "\n"
          ? Position(line: position.line + 1, column: 1) : Position(line: position.line, column: position.column + 1)
      }
      problem = (position, "not YAML: \(text)")
    case .duplicatedKeysInMapping(let keys, let context):
      problem = (place(context.mark), "duplicate key \(keys.sorted().map { "`\($0)`" }.joined(separator: ", "))")
    default: problem = (Position(line: 1, column: 1), "not YAML: \(error)")
    }
  }

  /// The name of the alias at a position.
  private static func alias(at mark: Mark, in yaml: String) -> String {
    let lines = yaml.split(separator: "\n", maxSplits: mark.line, omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line - 1) else { return "" }
    let rest = lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).drop { $0 == "*" }
    return String(String.UnicodeScalarView(rest.prefix { !" \t\r,[]{}".unicodeScalars.contains($0) }))
  }
}

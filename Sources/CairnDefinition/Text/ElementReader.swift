import CairnCore
import Yams

/// Reads YAML into elements. Scalars follow the core schema of YAML 1.2, every key is a string, and repeated keys are errors.
struct ElementReader {
  /// The maximum size in bytes. It applies to the text as written and to the text with its aliases expanded.
  static let sizeLimit = 1_048_576
  static let depthLimit = 64
  /// The maximum number of values, with aliases expanded.
  static let elementLimit = 200_000

  /// Errors with their positions.
  private(set) var problems: [(position: Position, message: String)] = []
  private var count = 0
  /// The number of bytes of the scalars and keys read so far, with aliases expanded. It never exceeds the size of the document as JSON.
  private var written = 0
  /// Whether a limit has been exceeded. The remaining values are then skipped.
  private var isTooLarge = false
  private var repeatedKeys = RepeatedKeys()

  /// Reads the root element of a document. Returns `nil` if the document cannot be read; `problems` then contains the reasons. A stored
  /// text has no size limit.
  mutating func read(_ text: String, isStored: Bool = false) -> Element? {
    let start = Position(line: 1, column: 1)
    let text = Document.withoutByteOrderMark(text)
    if isStored { written = -text.utf8.count }
    guard isStored || text.utf8.count <= ElementReader.sizeLimit else {
      problems.append((start, ElementReader.tooLarge("\(text.utf8.count)")))
      return nil
    }
    if let line = Nesting.lineTooDeep(in: text) {
      problems.append((Position(line: line, column: 1), ElementReader.tooDeep))
      return nil
    }
    let root: Yams.Node
    do {
      guard let node = try repeatedKeys.compose(SurrogatePairs.joined(in: text)) else {
        problems.append((start, ElementReader.empty))
        return nil
      }
      root = node
    } catch {
      problems.append(error.problem)
      return nil
    }
    let element = element(of: root, depth: 1)
    return isTooLarge ? nil : element
  }

  private mutating func note(_ text: String, at position: Position) {
    written += text.utf8.count
    guard written > ElementReader.sizeLimit else { return }
    if !isTooLarge {
      problems.append((position, "with its aliases expanded, the file has more than the maximum of \(ElementReader.sizeLimit) bytes"))
    }
    isTooLarge = true
  }

  /// The error of a text without a value.
  static let empty = "the file is empty; it must be a map with at least `app`, `root`, `screens` and `flows`"

  /// The error of a text with this number of bytes.
  static func tooLarge(_ count: String) -> String { "the file has \(count) bytes; the maximum is \(sizeLimit)" }

  private static let tooDeep = "the file is nested more than \(ElementReader.depthLimit) levels deep"

  private mutating func element(of node: Yams.Node, depth: Int) -> Element {
    let position = node.mark.map { Position(line: $0.line, column: $0.column) } ?? Position(line: 1, column: 1)
    count += 1
    let nothing = Element(content: .scalar(.null), position: position)
    if count > ElementReader.elementLimit {
      if !isTooLarge {
        problems.append((position, "with its aliases expanded, the file has more than the maximum of \(ElementReader.elementLimit) values"))
      }
      isTooLarge = true
      return nothing
    }
    guard !isTooLarge else { return nothing }
    guard depth <= ElementReader.depthLimit else {
      if !isTooLarge { problems.append((position, ElementReader.tooDeep)) }
      isTooLarge = true
      return nothing
    }
    switch node {
    case .scalar(let scalar):
      note(scalar.string, at: position)
      return Element(content: .scalar(value(of: scalar, at: position)), position: position)
    case .sequence(let sequence):
      check(sequence.tag, is: .seq, at: position)
      return Element(content: .list(sequence.map { element(of: $0, depth: depth + 1) }), position: position)
    case .mapping(let mapping):
      check(mapping.tag, is: .map, at: position)
      return Element(content: .map(members(of: mapping, depth: depth)), position: position)
    case .alias: return nothing
    }
  }

  private mutating func members(of mapping: Yams.Node.Mapping, depth: Int) -> [Element.Member] {
    var members: [Element.Member] = []
    var lines: [String: Int] = [:]
    for (key, value) in mapping {
      let position = key.mark.map { Position(line: $0.line, column: $0.column) } ?? Position(line: 1, column: 1)
      let element = element(of: value, depth: depth + 1)
      guard case .scalar(let scalar) = key else {
        problems.append((position, "a key must be a string, not a map or list"))
        continue
      }
      let name = repeatedKeys.name(of: scalar.string)
      note(name, at: position)
      if name == "<<" && scalar.style == .plain {
        problems.append((position, "merge keys are not part of YAML 1.2; write the members themselves"))
      } else if let first = lines[name] {
        problems.append((position, "duplicate key `\(name)`; the first one is on line \(first)"))
      } else {
        lines[name] = position.line
        members.append(.init(name: name, position: position, element: element))
      }
    }
    return members
  }

  private mutating func check(_ tag: Tag, is expected: Tag.Name, at position: Position) {
    let name = Tag.Name(rawValue: tag.description)
    if ![.implicit, .nonSpecific, expected].contains(name) {
      problems.append((position, "the tag `\(name.rawValue)` is not supported; remove it"))
    }
  }

  private mutating func value(of scalar: Yams.Node.Scalar, at position: Position) -> Value {
    let tag = Tag.Name(rawValue: scalar.tag.description)
    let isPlain = scalar.style == .plain && tag == .implicit
    guard isPlain else {
      check(scalar.tag, is: .str, at: position)
      return .string(scalar.string)
    }
    switch CoreScalar.value(of: scalar.string) {
    case .success(let value): return value
    case .failure(let fault):
      problems.append((position, fault.message))
      return .null
    }
  }
}

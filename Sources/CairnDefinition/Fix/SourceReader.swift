import Yams

/// Finds the ranges of the values in a YAML text. The parser reports only where a value begins; this reader finds the end.
struct SourceReader {
  let scalars: [Unicode.Scalar]
  private let lines: [Int]

  /// The root of a text; `nil` if the text is not YAML, is empty, or is nested too deeply.
  static func read(_ text: String) -> (root: SourceNode, scalars: [Unicode.Scalar])? {
    guard Nesting.lineTooDeep(in: text) == nil, let root = try? Yams.compose(yaml: text, Resolver.basic) else { return nil }
    let reader = SourceReader(text)
    return (reader.node(root, from: 0, after: nil, within: -1), reader.scalars)
  }

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var lines = [0]
    for (index, scalar) in scalars.enumerated() where Self.isBreak(scalar) {
      if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
      lines.append(index + 1)
    }
    self.lines = lines
  }

  /// Whether the parser treats a scalar as a line break. The parser follows YAML 1.1 here (5.4).
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || isBreak(scalar) }

  private func at(_ index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// The first position at or after `start` that is neither blank nor in a comment.
  private func token(from start: Int) -> Int {
    var index = start
    while let scalar = at(index) {
      if scalar == "#", index == 0 || Self.isBlank(scalars[index - 1]) {
        while let next = at(index), !Self.isBreak(next) { index += 1 }
      } else if Self.isBlank(scalar) || scalar == "\u{FEFF}" {
        index += 1
      } else {
        return index
      }
    }
    return index
  }

  /// The number of scalars before a position on its line.
  private func column(of index: Int) -> Int {
    var start = index
    while start > 0, !Self.isBreak(scalars[start - 1]) { start -= 1 }
    return index - start
  }

  /// Finds the range of a value. The search begins at `from`. `mark` is the indicator before the value, such as `:` or `-`, or `nil` if
  /// there is none. `indent` is the column of the block that contains the value.
  private func node(_ node: Yams.Node, from: Int, after mark: Unicode.Scalar?, within indent: Int) -> SourceNode {
    var start = token(from: from)
    if let mark {
      guard at(start) == mark else { return SourceNode(range: from..<from, content: .scalar("")) }
      start += 1
    }
    let end = start
    start = token(from: start)
    if at(start) == "*" {
      let end = scalars[start...].firstIndex { Self.isBlank($0) || ",[]{}".unicodeScalars.contains($0) } ?? scalars.count
      return SourceNode(range: start..<end, content: .alias)
    }
    if case .scalar(let scalar) = node, scalar.string.isEmpty, scalar.style == .plain {
      return SourceNode(range: end..<end, content: .scalar(""))
    }
    while at(start) == "&" || at(start) == "!" {
      while let next = at(start), !Self.isBlank(next) { start += 1 }
      start = token(from: start)
    }
    switch node {
    case .scalar(let scalar):
      return SourceNode(range: start..<self.end(of: scalar.string, from: start, within: indent), content: .scalar(scalar.string))
    case .sequence(let sequence): return list(Array(sequence), from: start)
    case .mapping(let mapping): return map(Array(mapping), from: start)
    case .alias: return SourceNode(range: start..<start, content: .alias)
    }
  }

  private func list(_ elements: [Yams.Node], from start: Int) -> SourceNode {
    let isFlow = at(start) == "["
    var nodes: [SourceNode] = []
    var end = isFlow ? start + 1 : start
    let indent = column(of: start)
    for element in elements {
      let node = node(element, from: end, after: isFlow ? (nodes.isEmpty ? nil : ",") : "-", within: indent)
      nodes.append(node)
      end = node.range.upperBound
    }
    return SourceNode(range: start..<(isFlow ? close(from: end, "]") : end), content: .list(nodes))
  }

  private func map(_ pairs: [(key: Yams.Node, value: Yams.Node)], from start: Int) -> SourceNode {
    let isFlow = at(start) == "{"
    var members: [SourceNode.Member] = []
    var end = isFlow ? start + 1 : start
    let indent = column(of: start)
    for pair in pairs {
      if !isFlow, at(token(from: end)) == "?" { end = token(from: end) + 1 }
      let key = node(pair.key, from: end, after: isFlow && !members.isEmpty ? "," : nil, within: indent)
      let value = node(pair.value, from: key.range.upperBound, after: ":", within: indent)
      members.append(.init(key: key, value: value))
      end = value.range.upperBound
    }
    return SourceNode(range: start..<(isFlow ? close(from: end, "}") : end), content: .map(members))
  }

  /// The position after the closing bracket.
  private func close(from end: Int, _ bracket: Unicode.Scalar) -> Int {
    var index = token(from: end)
    while let scalar = at(index), scalar != bracket { index = token(from: index + 1) }
    return min(index + 1, scalars.count)
  }

  private func end(of text: String, from start: Int, within indent: Int) -> Int {
    switch at(start) {
    case "\"": endOfQuoted(from: start, isDouble: true)
    case "'": endOfQuoted(from: start, isDouble: false)
    case "|", ">": endOfBlock(from: start, within: indent)
    default: endOfPlain(text, from: start)
    }
  }

  private func endOfQuoted(from start: Int, isDouble: Bool) -> Int {
    var index = start + 1
    while let scalar = at(index) {
      if isDouble, scalar == "\\" {
        index += 2
      } else if scalar == scalars[start] {
        if isDouble || at(index + 1) != "'" { return index + 1 }
        index += 2
      } else {
        index += 1
      }
    }
    return scalars.count
  }

  /// The position after a literal or folded text, which ends before the first line that is indented no more than the surrounding block.
  private func endOfBlock(from start: Int, within indent: Int) -> Int {
    guard let header = lines.first(where: { $0 > start }) else { return scalars.count }
    var end = header - 1
    for (index, line) in lines.enumerated() where line >= header {
      let next = index + 1 < lines.count ? lines[index + 1] : scalars.count
      guard let first = scalars[line..<next].firstIndex(where: { !Self.isBlank($0) }) else { continue }
      if first - line <= indent { break }
      end = next
    }
    while end > start, Self.isBreak(scalars[end - 1]) { end -= 1 }
    return end
  }

  /// The position after a plain text, which may continue on the following lines. `text` is the parsed value: where it has blanks, the file
  /// may have other blanks or line breaks.
  private func endOfPlain(_ text: String, from start: Int) -> Int {
    var index = start
    var isInGap = false
    for scalar in text.unicodeScalars {
      if Self.isBlank(scalar) {
        isInGap = true
        continue
      }
      if isInGap { while let next = at(index), Self.isBlank(next) { index += 1 } }
      isInGap = false
      index += 1
    }
    return min(index, scalars.count)
  }
}

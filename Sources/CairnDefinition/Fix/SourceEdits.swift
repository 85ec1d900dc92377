/// Replacements in a text. They are made from left to right; a replacement that lies inside another replacement is made first.
struct SourceEdits {
  let scalars: [Unicode.Scalar]
  private var edits: [(range: Range<Int>, text: String)] = []

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// The text of a range with the replacements made so far.
  func text(_ range: Range<Int>) -> String {
    var first = edits.count
    while first > 0, edits[first - 1].range.lowerBound >= range.lowerBound { first -= 1 }
    var text = ""
    var index = range.lowerBound
    for edit in edits[first...] where edit.range.upperBound <= range.upperBound {
      text += written(index..<edit.range.lowerBound) + edit.text
      index = edit.range.upperBound
    }
    return text + written(index..<range.upperBound)
  }

  /// The text of a range before the replacements.
  func written(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  /// Replaces a range. Replacements inside it are dropped, so `text` must contain them.
  mutating func replace(_ range: Range<Int>, with text: String) {
    while let last = edits.last, last.range.lowerBound >= range.lowerBound { edits.removeLast() }
    edits.append((range, text))
  }

  /// The number of scalars before a position on its line.
  func column(of index: Int) -> Int {
    var start = index
    while start > 0, scalars[start - 1] != "\n" { start -= 1 }
    return index - start
  }
}

extension SourceEdits {
  /// Writes a map with other members. `replaced` maps the index of each changed member to its new members; an empty list removes the
  /// member. `added` contains the members to append. Comments between the members are kept. Comments of a replaced member that are missing
  /// from its new text are written before the new text.
  mutating func rewrite(_ map: SourceNode, _ replaced: [Int: [String]], adding added: [String] = []) {
    guard let members = map.members else { return }
    let lines = members.indices.map { replaced[$0] ?? [text(members[$0].range)] }
    let isFlow = scalars[map.range.lowerBound] == "{"
    replace(map.range, with: isFlow ? flow(map, members, lines, added) : block(map, members, lines, added))
  }

  private func flow(_ map: SourceNode, _ members: [SourceNode.Member], _ lines: [[String]], _ added: [String]) -> String {
    let margin = "\n" + String(repeating: " ", count: column(of: map.range.lowerBound) + 2)
    var text = "{"
    var isFirst = true
    var end = map.range.lowerBound + 1
    for (member, line) in zip(members, lines) {
      let gap = Self.withoutComma(written(end..<member.range.lowerBound))
      end = member.range.upperBound
      // The text before a removed member is removed with it, unless it contains a comment or a line break.
      let first = gap.contains { $0 == "#" || $0 == "\n" } || gap.isEmpty ? gap : " "
      let lost = Self.comments(of: written(member.range), exceptThoseOf: line).map { $0 + margin }.joined()
      for (index, part) in line.enumerated() {
        text += isFirst ? first : index == 0 ? "," + (gap.isEmpty ? " " : gap) : ", "
        text += index == 0 ? lost + part : part
        isFirst = false
      }
      if line.isEmpty { text += (gap.contains("#") ? gap : lost.isEmpty ? "" : " ") + lost }
    }
    for part in added {
      text += (isFirst ? " " : ", ") + part
      if isFirst, members.isEmpty { text += " " }
      isFirst = false
    }
    if isFirst { return "{}" }
    let tail = Self.withoutComma(written(end..<map.range.upperBound - 1))
    return text + tail + "}"
  }

  private func block(_ map: SourceNode, _ members: [SourceNode.Member], _ lines: [[String]], _ added: [String]) -> String {
    let margin = "\n" + String(repeating: " ", count: column(of: map.range.lowerBound))
    var text = ""
    /// Comments of removed or replaced text, which are written before the next member.
    var comments: [String] = []
    var end = map.range.lowerBound
    for (index, (member, line)) in zip(members, lines).enumerated() {
      let gap = written(end..<member.range.lowerBound)
      let rest = gap.firstIndex(of: "\n").map { gap[$0...] } ?? ""
      let trailing = gap.prefix { $0 != "\n" }
      end = member.range.upperBound
      if trailing.contains("#") {
        if index > 0, lines[index - 1].isEmpty { comments.append(Self.bare(trailing)) } else { text += trailing }
      }
      let lost = Self.comments(of: written(member.range), exceptThoseOf: line)
      guard !line.isEmpty else {
        comments += rest.split(separator: "\n").map(Self.bare).filter { $0.hasPrefix("#") } + lost
        continue
      }
      comments += lost
      let between = text.isEmpty ? rest.split(separator: "\n").map(Self.bare).filter { $0.hasPrefix("#") } : []
      for comment in comments + between { text += (text.isEmpty ? "" : margin) + comment }
      comments = []
      if !text.isEmpty { text += between.isEmpty && rest.contains("\n") ? rest : margin[...] }
      text += line.joined(separator: margin)
    }
    for part in added { text += (text.isEmpty ? "" : margin) + part }
    if text.isEmpty { text = "{}" }
    for comment in comments { text += margin + comment }
    return text
  }

  /// The comments of a text that the replacing lines do not contain, or contain less often.
  private static func comments(of text: String, exceptThoseOf lines: [String]) -> [String] {
    guard text.contains("#") else { return [] }
    var kept = lines.flatMap(comments)
    return comments(in: text).filter { comment in
      guard let index = kept.firstIndex(of: comment) else { return true }
      kept.remove(at: index)
      return false
    }
  }

  /// The comments of a text in order. A `#` in quotes, or without a blank before it, does not begin a comment.
  private static func comments(in text: String) -> [String] {
    var found: [String] = []
    var quote: Character?
    var before: Character = " "
    var rest = text[...]
    while let character = rest.first {
      if let open = quote {
        if character == "\\", open == "\"" { rest = rest.dropFirst() } else if character == open { quote = nil }
      } else if character == "#", before.isWhitespace {
        let comment = rest.prefix { !$0.isNewline }
        found.append(bare(comment))
        rest = rest.dropFirst(comment.count - 1)
      } else if character == "\"" || character == "'", !before.isLetter, !before.isNumber {
        quote = character
      }
      before = character
      rest = rest.dropFirst()
    }
    return found
  }

  private static func bare(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }.reversed().drop { $0 == " " || $0 == "\r" }.reversed())
  }

  /// The blanks and comments between two members of a map in braces, without the comma.
  private static func withoutComma(_ gap: String) -> String {
    var text = ""
    var isComment = false
    for character in gap {
      if character == "#" { isComment = true } else if character == "\n" { isComment = false }
      if character != "," || isComment { text.append(character) }
    }
    return text
  }
}

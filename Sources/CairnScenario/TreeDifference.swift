/// Compares two trees, which are given as one-line sketches, line by line.
enum TreeDifference {
  /// Returns the lines of both trees. A line with `-` was expected but not found, a line with `+` was found
  /// but not expected, and every other line is in both trees.
  static func text(expected: String, found: String) -> String {
    let wanted = lines(of: expected)
    let present = lines(of: found)
    let difference = present.difference(from: wanted)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var text: [String] = []
    var old = 0
    var new = 0
    while old < wanted.count || new < present.count {
      if old < wanted.count, removed.contains(old) {
        text.append("  - \(wanted[old])")
        old += 1
      } else if new < present.count, inserted.contains(new) {
        text.append("  + \(present[new])")
        new += 1
      } else {
        text.append("    \(present[new])")
        old += 1
        new += 1
      }
    }
    return text.joined(separator: "\n")
  }

  /// Splits a sketch into one line per node, with children indented.
  private static func lines(of sketch: String) -> [String] {
    var lines: [String] = []
    var line = ""
    var depth = 0
    var parentheses = 0
    func end() {
      let trimmed = line.drop { $0 == " " }
      if !trimmed.isEmpty { lines.append(String(repeating: "  ", count: depth) + trimmed) }
      line = ""
    }
    for character in sketch {
      switch character {
      case "(": parentheses += 1
      case ")": parentheses -= 1
      default: break
      }
      guard parentheses == 0 else {
        line.append(character)
        continue
      }
      switch character {
      case "[", "{", "<":
        line.append(character)
        end()
        depth += 1
      case "]", "}", ">":
        end()
        depth = max(0, depth - 1)
        line.append(character)
      case ",", "|":
        line.append(character)
        end()
      default: line.append(character)
      }
    }
    end()
    return lines
  }
}

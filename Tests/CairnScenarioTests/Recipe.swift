import Foundation
import Testing

/// A section of docs/cookbook.md with a title, a definition, and its cases.
struct Recipe: Sendable, CustomTestStringConvertible {
  var title: String
  var prose = ""
  /// The fenced blocks, in order.
  var blocks: [String] = []
  var testDescription: String { title }

  /// The page before its first section.
  static let head = parts.head
  static let all = parts.recipes

  private static let parts: (head: String, recipes: [Recipe]) = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/cookbook.md").standardized
    var head = ""
    var recipes: [Recipe] = []
    var isInside = false
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "\n") {
      if line.hasPrefix("## "), !isInside {
        recipes.append(Recipe(title: String(line.dropFirst(3))))
      } else if recipes.isEmpty {
        head += line + "\n"
      } else if line.hasPrefix("```") {
        isInside.toggle()
        if isInside { recipes[recipes.count - 1].blocks.append("") }
      } else if isInside {
        recipes[recipes.count - 1].blocks[recipes[recipes.count - 1].blocks.count - 1] += line + "\n"
      } else {
        recipes[recipes.count - 1].prose += line + "\n"
      }
    }
    return (head, recipes)
  }()

  /// The anchor of the section: its title in lower case with hyphens instead of blanks.
  var anchor: String {
    String(title.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
  }
}

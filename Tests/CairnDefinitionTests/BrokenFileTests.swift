import CairnDefinition
import Foundation
import Testing

/// Parses shipped files with random changes. Each file gives a definition or an error with a position, and none crashes the process.
@Suite struct BrokenFileTests {
  /// A reproducible generator of random numbers (Knuth's linear congruential generator).
  private struct Steady: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private static let pieces = [
    "{", "}", "[", "]", ":", ",", "- ", "\"", "'", "\n", "  ", "$", "&a ", "*a", "!!x ", "? ", "| ", "> ", "# ", "null", "-1", "true",
    "flow", "\t", "%", "@",
    "---\n", "...\n", "<<: ", "\u{85}", "日", "\u{0}", "{}", "[]", "with", "step", "screen", "1e999", "$content(", "{fact.",
  ]

  private func holds(_ text: String) -> Bool {
    do throws(InvalidDefinition) {
      let loaded = try DefinitionLoader.load(file: "f", text: text)
      let again = try DefinitionLoader.load(canonical: loaded.canonical)
      return again.definition == loaded.definition && again.hash == loaded.hash
    } catch {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      return error.diagnostics.contains { $0.severity == .error }
        && error.diagnostics.allSatisfy { $0.line >= 1 && $0.line <= lines + 1 && $0.column >= 1 && !$0.message.isEmpty }
    }
  }

  /// About 60 lines of each file, or all of them if `CAIRN_EVERY_LINE` is set.
  @Test(arguments: ShippedApp.names) func `a file with a removed or repeated line is parsed or reported`(name: String) throws {
    let lines = try ShippedApp.text(name).components(separatedBy: "\n")
    let isWhole = ProcessInfo.processInfo.environment["CAIRN_EVERY_LINE"] != nil
    for index in stride(from: 0, to: lines.count, by: isWhole ? 1 : max(1, lines.count / 60)) {
      var less = lines
      less.remove(at: index)
      #expect(holds(less.joined(separator: "\n")), "without line \(index + 1)")
      var more = lines
      more.insert(lines[index], at: index)
      #expect(holds(more.joined(separator: "\n")), "line \(index + 1) twice")
    }
  }

  @Test(arguments: ShippedApp.names) func `a file with inserted and removed pieces is parsed or reported`(name: String) throws {
    var chance = Steady(state: 7)
    let whole = Array(try ShippedApp.text(name))
    for round in 0..<150 {
      var text = whole
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        let place = Int.random(in: 0..<text.count, using: &chance)
        if Bool.random(using: &chance) {
          text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...6, using: &chance)))
        } else {
          text.insert(contentsOf: BrokenFileTests.pieces.randomElement(using: &chance) ?? "", at: place)
        }
      }
      #expect(holds(String(text)), "\(name), round \(round)")
    }
  }
}

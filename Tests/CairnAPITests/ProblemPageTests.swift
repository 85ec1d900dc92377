import CairnAPI
import CairnCore
import Foundation
import Testing

/// Compares docs/problems.md with the table of problem codes.
@Suite struct ProblemPageTests {
  private static let lines: [Substring] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/problems.md").standardized
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
  }()

  private static func row(_ problem: ProblemMeaning) -> String {
    "| `\(problem.code)` | \(problem.status) | \(problem.text) | \(problem.remedy) |"
  }

  @Test func `the page has exactly the rows of the table`() {
    let rows = Self.lines.filter { $0.hasPrefix("| `") }.map(String.init)
    let table = ProblemMeaning.all.map(Self.row)
    #expect(table.filter { !rows.contains($0) } == [], "missing on the page")
    #expect(rows.filter { !table.contains($0) } == [], "not in the table")
    #expect(rows.count == table.count)
  }

  @Test func `every code has a description`() {
    for problem in ProblemMeaning.all { #expect(!problem.text.isEmpty && !problem.text.hasSuffix("."), "\(problem.code)") }
    #expect(Set(ProblemMeaning.all.map(\.code)).count == ProblemMeaning.all.count)
  }
}

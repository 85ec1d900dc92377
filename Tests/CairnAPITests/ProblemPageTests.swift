import CairnAPI
import CairnCore
import Foundation
import Testing

/// docs/problems.md: each code, with its status where the table tells it.
@Suite struct ProblemPageTests {
  private static let page: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/problems.md").standardized
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The row of the table that has a code.
  private func row(of code: String) -> String? {
    ProblemPageTests.page.components(separatedBy: "\n").first { $0.hasPrefix("| `") && $0.contains("`\(code)`") }
  }

  @Test(arguments: ProblemCode.allCases) func `a code of the service is on the page, with its status`(code: ProblemCode) throws {
    #expect(try #require(row(of: code.rawValue)).contains("\(code.status)"))
  }

  @Test(arguments: Refusal.Code.allCases) func `a code of a refusal is on the page, under its status`(code: Refusal.Code)
    throws
  {
    let line = try #require(row(of: code.rawValue))
    let section = ProblemPageTests.page.components(separatedBy: "\n## ").first { $0.contains(line) }
    #expect(line.contains("| \(code.status) |") || (section ?? "").hasPrefix("Refused by the app, as it is now (\(code.status))"))
  }
}

import Foundation
import Testing

/// The pages name the tests of each promise. Checks that these tests exist.
@Suite struct `Promises of the pages` {
  @Test(arguments: ["docs/operations.md", "docs/threat-model.md"]) func `each named suite, file and command exists`(page: String)
    throws
  {
    let text = try String(contentsOf: Service.root.appending(path: page), encoding: .utf8)
    let known = try Self.known()
    var isPromise = false
    var named = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| promise |") { isPromise = true }
      if !line.hasPrefix("|") { isPromise = false }
      guard isPromise, let holders = line.split(separator: "|").last else { continue }
      // Every second part was in backticks.
      for (index, name) in holders.split(separator: "`", omittingEmptySubsequences: false).enumerated() where index % 2 == 1 {
        named += 1
        #expect(known.contains(String(name)), "\(page): \(name)")
      }
    }
    #expect(named > 5)
  }

  /// The names of suites, of test files (with their paths for Python), of scripts in `Benchmarks`, and of targets of `make`.
  private static func known() throws -> Set<String> {
    var known: Set<String> = ["make soak"]
    for file in try FileManager.default.contentsOfDirectory(atPath: Service.root.appending(path: "Benchmarks").path) {
      known.insert("Benchmarks/\(file)")
    }
    let tests = Service.root.appending(path: "Tests")
    for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) {
      if path.hasSuffix(".py") { known.insert("Tests/\(path)") }
      guard path.hasSuffix(".swift") else { continue }
      let file = tests.appending(path: path)
      known.insert(file.deletingPathExtension().lastPathComponent)
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.hasPrefix("@Suite") {
        let parts = line.split(separator: "`")
        if parts.count > 1 { known.insert(String(parts[1])) }
      }
    }
    return known
  }
}

import CairnTesting
import Foundation
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `The version of the program` {
  private func run(_ arguments: String...) throws -> (code: Int32, output: String) {
    let log = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: log) }
    let process = try Service.launch(arguments, environment: [:], log: log)
    let code = try process.exitCode()
    return (code, process.output.text)
  }

  @Test func `--version prints only the version, and --verbose needs --version`() throws {
    #expect(try run("--version") == (0, Version.whole + "\n"))
    #expect(try run("--verbose") == (64, "") && run("serve", "--verbose") == (64, ""))
  }

  @Test func `with --verbose each library is named with its version`() throws {
    let verbose = try run("--version", "--verbose")
    #expect(try verbose.code == 0 && run("--verbose", "--version") == verbose)
    let rows = verbose.output.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
    #expect(rows.allSatisfy { $0.count == 2 }, "\(verbose.output)")
    let values = Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    #expect(values["cairn"] == Version.text && values["commit"] == Version.commit ?? "not known" && values.count == rows.count)
    #expect(values["configuration"] == "debug" || values["configuration"] == "release")
    #expect(values["C compiler"]?.contains("Clang") == true, "\(verbose.output)")
    for name in [
      "Swift standard library", "libmicrohttpd", "SQLite", "libcrypto", "GRDB.swift", "Yams", "swift-argument-parser", "swift-collections",
      "swift-log",
    ] {
      #expect(values[name]?.wholeMatch(of: /\d+\.\d+[.\d]*/) != nil, "\(name): \(values[name] ?? "missing")")
    }
    // These depend on what was installed for the build.
    for name in ["libcurl", "libpq", "jemalloc"] {
      #expect(values[name]?.firstMatch(of: /^(\d+\.\d+|not used)/) != nil, "\(name): \(values[name] ?? "missing")")
    }
  }

  @Test func `packages are named by their address, and have a version or a revision`() {
    let resolved = """
      {"version": 3, "pins": [
        {"identity": "yams", "location": "https://example.org/jpsim/Yams.git", "state": {"version": "6.2.2", "revision": "a1"}},
        {"identity": "b", "location": "https://example.org/b", "state": {"branch": "main", "revision": "b2"}}]}
      """
    #expect(BuildReport.packages(resolved).map { "\($0.name) \($0.value)" } == ["Yams 6.2.2", "b b2"])
    #expect(BuildReport.packages("").map { "\($0.name): \($0.value)" } == ["Swift packages: not known"])
  }
}

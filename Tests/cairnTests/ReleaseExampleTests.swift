import CairnTesting
import Foundation
import Testing

/// The second versions of shipped apps, with the migrations to them.
@Suite(.tags(.timing), .ownThreads) struct `Releases in examples` {
  private static let releases = "examples/releases"
  private let folder: URL

  /// Runs the commands in a folder with the same paths as in the repository, so that the migrations find the old definitions.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    for path in ["config/apps", Self.releases] {
      let copy = folder.appending(path: path)
      try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Service.root.appending(path: path), to: copy)
    }
  }

  /// The apps that have a migration.
  private static let apps: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Service.root.appending(path: releases).path)) ?? []
    return files.filter { $0.hasSuffix(".migrate.yaml") }.map { String($0.dropLast(".migrate.yaml".count)) }.sorted()
  }()

  private func run(_ arguments: String...) throws -> (code: Int32, output: String) {
    let process = try Service.launch(arguments, environment: [:], log: folder.appending(path: "log.txt"))
    let code = try process.exitCode()
    return (code, process.output.text)
  }

  @Test func `delivery and bank have a second version`() {
    #expect(Self.apps == ["bank", "delivery"])
  }

  @Test(arguments: apps) func `each release is valid without a warning`(app: String) throws {
    let (new, document) = ("\(Self.releases)/\(app)-2.yaml", "\(Self.releases)/\(app).migrate.yaml")
    let checked = try run("check", "--strict", new, document)
    #expect(checked == (0, "\(new): \(app), ok\n\(document): \(app), a migration, ok\n"))
    #expect(try run("diff", "config/apps/\(app).yaml", new).code == 2)
  }

  @Test(arguments: apps) func `the scenarios of each migration pass`(app: String) throws {
    let file = "\(Self.releases)/\(app).migrate.scenarios.yaml"
    let checked = try run("check", file)
    #expect(checked.code == 0 && checked.output.hasSuffix(" scenarios, ok; cairn test runs them\n"), "\(checked.output)")
    let tested = try run("test", file)
    #expect(tested.code == 0, "\(tested.output)")
    #expect(tested.output.hasSuffix(" passed, 0 failed\n") && !tested.output.hasPrefix("0 "))
  }

  @Test(arguments: apps) func `the first states of each old version can move`(app: String) throws {
    let explored = try run(
      "explore", "config/apps/\(app).yaml", "--migrate", "\(Self.releases)/\(app).migrate.yaml", "--claims",
      "config/apps/\(app).scenarios.yaml", "--depth", "3", "--states", "1000")
    #expect(explored.code == 0, "\(explored.output)")
    #expect(explored.output.contains("config/apps/\(app).yaml: nothing found in 1000 states"))
  }

  @Test func `the migrations have every form of a line`() throws {
    let documents = try Self.apps.map {
      try String(contentsOf: folder.appending(path: "\(Self.releases)/\($0).migrate.yaml"), encoding: .utf8)
    }.joined()
    for form in [
      "screens:", "flows:", "steps:", "facts:", "values:", "rules: run", "{ to: ", "params: {", "drop: [", "{ popTo: ", "{ replace: ",
      ": remove", "$fact.",
    ] {
      #expect(documents.contains(form), "\(form)")
    }
  }
}

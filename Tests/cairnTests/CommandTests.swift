import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commands for authors` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Service.root.appending(path: "config/apps"), to: folder.appending(path: "apps"))
  }

  private func run(_ arguments: String...) throws -> (code: Int32, output: String) {
    let process = try Service.launch(arguments, environment: [:], log: folder.appending(path: "log.txt"))
    let code = try process.exitCode()
    return (code, process.output.text)
  }

  @Test(arguments: ["qiita", "shop", "rxflow-demo", "load-studies", "flow-controller-push", "flow-controller-modal", "delivery", "bank"])
  func `every shipped app is valid and its scenarios pass`(app: String) throws {
    let checked = try run("check", "apps/\(app).yaml")
    #expect(checked.code == 0)
    #expect(checked.output == "apps/\(app).yaml: \(app), ok\n")
    let scenarios = try run("check", "apps/\(app).scenarios.yaml")
    #expect(scenarios.code == 0 && scenarios.output.hasSuffix(" scenarios, ok; cairn test runs them\n"))
    let tested = try run("test", "apps/\(app).scenarios.yaml")
    #expect(tested.code == 0, "\(tested.output)")
    #expect(tested.output.hasSuffix(" passed, 0 failed\n") && !tested.output.hasPrefix("0 "))
    #expect(try run("graph", "apps/\(app).yaml").output.hasPrefix("flowchart LR\n"))
    #expect(try run("graph", "apps/\(app).yaml", "--format", "dot").output.hasPrefix("digraph \"\(app)\" {\n"))
    let drawn = try run("graph", "apps/\(app).yaml", "--format", "json")
    let graph = try JSONDecoder().decode(Value.self, from: Data(drawn.output.utf8))
    guard drawn.code == 0, graph["app"] == .string(app), case .array(let nodes)? = graph["nodes"], case .array(let edges)? = graph["edges"]
    else {
      throw Service.Failure(drawn.output)
    }
    let ids = nodes.compactMap { $0["id"] }
    #expect(Set(ids).count == nodes.count && edges.count > 1)
    #expect(edges.allSatisfy { edge in ["from", "to"].allSatisfy { end in edge[end].map(ids.contains) ?? false } })
  }

  @Test func `a file in former words is rewritten, and a second run changes nothing`() throws {
    let file = folder.appending(path: "old.yaml")
    let old = "# The app.\napp: demo\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { container: stack, root: home } }\n"
    let new = "# The app.\napp: demo\nlanguage: 1\nroot: { flow: main }\nscreens: { home: }\nflows: { main: { stack: home } }\n"
    try old.write(to: file, atomically: true, encoding: .utf8)
    let checked = try run("check", "old.yaml")
    #expect(checked.code == 1 && checked.output.contains("no longer has the member `container`"))
    #expect(try run("fix", "--dry-run", "old.yaml") == (1, "old.yaml: would rewrite 2 places\n"))
    #expect(try String(contentsOf: file, encoding: .utf8) == old)
    #expect(try run("fix", "old.yaml") == (0, "old.yaml: 2 places rewritten\n"))
    #expect(try String(contentsOf: file, encoding: .utf8) == new)
    #expect(
      try run("fix", "old.yaml", "apps/shop.scenarios.yaml") == (
        0, "old.yaml: nothing to rewrite\napps/shop.scenarios.yaml: nothing to rewrite\n"
      ))
    // `fix` reports the remaining mistakes as `check` does. The author must correct them.
    try old.replacing("root: home", with: "root: hom").write(to: file, atomically: true, encoding: .utf8)
    let left = try run("fix", "old.yaml")
    #expect(left.code == 1 && left.output.contains("old.yaml:6:25: error: there is no screen or flow `hom`; did you mean `home`?"))
    try "a: [".write(to: file, atomically: true, encoding: .utf8)
    #expect(try run("fix", "old.yaml") == (1, "old.yaml: is not YAML; cairn check reports why\n"))
    #expect(try run("fix", "nowhere.yaml").code == 1)
  }

  @Test func `a diff reports what changes, where, and by its exit code whether running sessions need a migration`() throws {
    let old = folder.appending(path: "old.yaml")
    let new = folder.appending(path: "new.yaml")
    let text = """
      app: demo
      language: 1
      compat: { emits: any }
      root: { flow: main, start: begin }
      screens: { home: {}, page: {} }
      steps: { begin: , go: {} }
      flows: { main: { stack: [], handle: { begin: { set: [home] }, go: { push: page } } } }
      """
    try text.write(to: old, atomically: true, encoding: .utf8)
    try text.write(to: new, atomically: true, encoding: .utf8)
    #expect(try run("diff", old.path, new.path) == (0, "no changes\n"))
    try text.replacing("page: {}", with: "detail: {}").replacing("push: page", with: "push: detail")
      .write(to: new, atomically: true, encoding: .utf8)
    let renamed = try run("diff", old.path, new.path)
    #expect(renamed.code == 2)
    #expect(renamed.output.hasPrefix("added screen detail (\(new.path):5:22)\n"))
    #expect(renamed.output.contains("removed screen page (\(old.path):5:22)\n    needs a migration: "))
    #expect(renamed.output.hasSuffix("\n3 changes: 1 that need a migration, 1 of behavior, 1 without effect\n"))
    let json = try run("diff", "--json", old.path, new.path)
    let diff = try JSONDecoder().decode(Value.self, from: Data(json.output.utf8))
    guard json.code == 2, case .array(let changes)? = diff["changes"] else { throw Service.Failure(json.output) }
    #expect(changes.compactMap { $0["effect"] } == ["none", "migration", "behavior"])
    #expect(changes[1]["old"] == ["column": 22, "line": 5])
    try text.replacing("app: demo", with: "app: other").write(to: new, atomically: true, encoding: .utf8)
    #expect(try run("diff", old.path, new.path).code == 1)
    #expect(try run("diff", old.path, folder.appending(path: "none.yaml").path).code == 1)
  }

  @Test func `the draft of a migration is read where it is kept, beside the new definition`() throws {
    let files = FileManager.default
    for name in ["old", "releases"] { try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false) }
    try files.copyItem(at: folder.appending(path: "apps/shop.yaml"), to: folder.appending(path: "old/shop.yaml"))
    try files.copyItem(at: folder.appending(path: "apps/shop.yaml"), to: folder.appending(path: "releases/shop-2.yaml"))
    for old in ["old/shop.yaml", folder.appending(path: "old/shop.yaml").path] {
      let draft = try run("diff", "--migration", old, "releases/shop-2.yaml")
      #expect(draft.output.contains("\nfrom: ../old/shop.yaml\nto: shop-2.yaml\n"), "\(draft.output)")
      try Data(draft.output.utf8).write(to: folder.appending(path: "releases/shop.migrate.yaml"))
      #expect(try run("check", "releases/shop.migrate.yaml") == (0, "releases/shop.migrate.yaml: shop, a migration, ok\n"))
    }
  }

  @Test func `warnings are printed, and count as errors on request`() throws {
    try """
    app: doubtful
    language: 1
    root: { flow: main }
    screens:
      home: { emits: [] }
      lost:
    flows:
      main: { stack: home }
    """.write(to: folder.appending(path: "doubtful.yaml"), atomically: true, encoding: .utf8)
    let warning = "doubtful.yaml:6:3: warning: the screen `lost` can never be shown: no flow creates it\n"
    let checked = try run("check", "doubtful.yaml")
    #expect(checked.code == 0)
    #expect(checked.output == warning + "doubtful.yaml: doubtful, ok\n")
    let strict = try run("check", "--strict", "doubtful.yaml", "apps/shop.yaml")
    #expect(strict.code == 1)
    #expect(strict.output == warning + "apps/shop.yaml: shop, ok\n")
    #expect(try run("check", "--strict", "apps/shop.yaml").code == 0)
  }

  @Test func `of a file that is too large no more is read than a document may have`() throws {
    let path = folder.appending(path: "large.yaml")
    #expect(FileManager.default.createFile(atPath: path.path, contents: nil))
    // A sparse file: reading all of it would take more memory than the process may have.
    let file = try FileHandle(forWritingTo: path)
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let checked = try run("check", "large.yaml")
    #expect(checked.code != 0)
    let log = try String(contentsOf: folder.appending(path: "log.txt"), encoding: .utf8)
    #expect((checked.output + log).contains("large.yaml:1:1: error: the file has 1099511627776 bytes; the maximum is 1048576"))
  }

  @Test func `a command reads files with a byte order mark`() throws {
    let plain = try String(contentsOf: folder.appending(path: "apps/shop.yaml"), encoding: .utf8)
    try ("\u{FEFF}" + plain).write(to: folder.appending(path: "marked.yaml"), atomically: true, encoding: .utf8)
    #expect(try run("check", "marked.yaml").output == "marked.yaml: shop, ok\n")
  }

  @Test func `the schema for editors is printed as it is shipped`() throws {
    let file = Service.root.appending(path: "config/app.schema.json")
    let printed = try run("schema")
    #expect(printed.code == 0)
    #expect(printed.output == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test func `an unmet expectation is shown as a difference of trees, and in the XML of JUnit`() throws {
    let file = folder.appending(path: "apps/wrong.scenarios.yaml")
    try """
    app: shop.yaml
    scenarios:
      - { case: W1, name: "it is <there>", given: { accessToken: t }, when: termsAreRequired, then: { tree: "main[home, product]" } }
      - { name: this one holds, then: { tree: "main[welcome]" } }
    """.write(to: file, atomically: true, encoding: .utf8)
    let tested = try run("test", "apps/wrong.scenarios.yaml", "--junit", "results.xml")
    #expect(tested.code == 1)
    #expect(tested.output.hasPrefix("apps/wrong.scenarios.yaml:3: W1 it is <there>\n"))
    #expect(tested.output.contains("-   product"))
    #expect(tested.output.contains("+ ] ^ terms"))
    #expect(tested.output.hasSuffix("1 passed, 1 failed\n"))
    let xml = try String(contentsOf: folder.appending(path: "results.xml"), encoding: .utf8)
    #expect(xml.contains("tests=\"2\" failures=\"1\""))
    #expect(xml.contains("it is &lt;there&gt;"))
  }

  @Test func `every mistake in a scenario file is reported`() throws {
    try """
    app: shop.yaml
    scenarios:
      - { nme: x, then: { tre: a } }
      - { name: nothing is expected, when: back }
    """.write(to: folder.appending(path: "apps/mistakes.scenarios.yaml"), atomically: true, encoding: .utf8)
    let tested = try run("test", "apps/mistakes.scenarios.yaml")
    #expect(tested.code == 1)
    for message in ["3:12: error: `nme` is unknown", "`tre` is unknown", "`name` is missing", "`then` is missing"] {
      #expect(tested.output.contains(message), "\(tested.output)")
    }
  }
}

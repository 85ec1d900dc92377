import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Commands with a definition in several files` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in DividedApp.files { try write(text, to: "shop/\(name)") }
    try write(DividedApp.single, to: "single.yaml")
  }

  private func write(_ text: String, to path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func read(_ path: String) throws -> String { try String(contentsOf: folder.appending(path: path), encoding: .utf8) }

  private func run(_ arguments: String...) throws -> (code: Int32, output: String) {
    let process = try Service.launch(arguments, environment: [:], log: folder.appending(path: "log.txt"))
    let code = try process.exitCode()
    return (code, process.output.text)
  }

  @Test(arguments: ["shop", "shop/", "shop/app.yaml"]) func `a folder means its main file`(path: String) throws {
    #expect(try run("check", path).code == 0)
    for command in [["graph"], ["types", "--language", "swift"], ["openapi"], ["apps", "join"]] {
      let (joined, single) = (try run(arguments: command + [path]), try run(arguments: command + ["single.yaml"]))
      #expect(joined.code == 0 && joined == single, "\(command)")
    }
    // The line ends with the duration of the run.
    func found(_ path: String) throws -> Substring { try run("explore", path).output.dropFirst(path.count).prefix { $0 != "," } }
    #expect(try found(path) == found("single.yaml") && !found(path).isEmpty)
    #expect(try run("diff", "single.yaml", path) == (0, "no changes\n"))
  }

  private func run(arguments: [String]) throws -> (code: Int32, output: String) {
    let process = try Service.launch(arguments, environment: [:], log: folder.appending(path: "log.txt"))
    let code = try process.exitCode()
    return (code, process.output.text)
  }

  @Test func `mistakes and changes have the file in which they are`() throws {
    let order = DividedApp.files["flows/order.yaml"] ?? ""
    try write(order.replacing("screen: item", with: "screen: itm"), to: "shop/flows/order.yaml")
    let wrong = try run("check", "shop")
    #expect(wrong == (1, "shop/flows/order.yaml:5:36: error: there is no screen `itm`; did you mean `item`?\n"))
    #expect(try run("graph", "shop").code == 1)
    #expect(try read("log.txt").contains("shop/flows/order.yaml:5:36: error: there is no screen `itm`"))
    try write(order.replacing("item", with: "product"), to: "shop/flows/order.yaml")
    let diff = try run("diff", "single.yaml", "shop")
    #expect(diff.code == 2 && diff.output.contains("added screen product (shop/flows/order.yaml:2:12)\n"), "\(diff.output)")
    let json = try run("diff", "--json", "single.yaml", "shop").output
    guard case .array(let changes)? = try JSONDecoder().decode(Value.self, from: Data(json.utf8))["changes"] else {
      throw Service.Failure(json)
    }
    #expect(changes.compactMap { $0["new"] }.first == ["column": 12, "file": "shop/flows/order.yaml", "line": 2])
  }

  @Test func `a checked file that another one includes is reported as such`() throws {
    let checked = try run("check", "shop/flows/order.yaml")
    #expect(checked.code == 1)
    #expect(checked.output.hasSuffix("shop/flows/order.yaml: declares no app; if another file includes it, check that file\n"))
    #expect(try run("check", "shop/flows").output.contains("the folder has no app.yaml"))
  }

  @Test func `scenarios and their start from another scenario run on the folder, and print the trees`() throws {
    try write(
      """
      app: shop
      scenarios:
        - { case: S1, name: an item is shown, when: { step: pick, params: { id: 7 } }, then: { visible: item } }
        - { name: it is left, given: { after: an item is shown }, when: [back, back], then: { visible: home } }
      """, to: "shop.scenarios.yaml")
    #expect(try run("test", "shop.scenarios.yaml") == (0, "2 passed, 0 failed\n"))
    #expect(
      try run("test", "shop.scenarios.yaml", "--print") == (
        0,
        """
        S1 an item is shown
            start
                main[home]
            pick(id: 7)
                main[home, order[item(id: 7)]]
        it is left (after: an item is shown)
            start
                main[home]
            pick(id: 7)
                main[home, order[item(id: 7)]]
            back
                main[home]
            back: unchanged, at-root
                main[home]
        2 passed, 0 failed

        """
      ))
  }

  @Test func `paths and symbolic links that leave the folder are errors`() throws {
    try write("screens: { other: }\n", to: "other.yaml")
    let main = DividedApp.files["app.yaml"] ?? ""
    try write(main.replacing("[flows/*.yaml]", with: "[../other.yaml]"), to: "shop/app.yaml")
    let reason = "include only files in this folder or below it\n"
    #expect(
      try run("check", "shop") == (1, "shop/app.yaml:3:11: error: ../other.yaml leaves the folder of the main file; \(reason)"))
    try write(main, to: "shop/app.yaml")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.appending(path: "shop/flows/out.yaml").path, withDestinationPath: "../../other.yaml")
    let left = "flows/out.yaml leaves the folder of the main file by a symbolic link; \(reason)"
    #expect(try run("check", "shop") == (1, "shop/app.yaml:3:11: error: \(left)"))
    try files.removeItem(at: folder.appending(path: "shop/flows/out.yaml"))
    // A link that stays in the folder is followed.
    try files.moveItem(at: folder.appending(path: "shop/flows/order.yaml"), to: folder.appending(path: "shop/moved.yaml"))
    try files.createSymbolicLink(atPath: folder.appending(path: "shop/flows/order.yaml").path, withDestinationPath: "../moved.yaml")
    #expect(try run("check", "shop").code == 0)
  }

  @Test func `each file of a definition is rewritten, and what is left is reported`() throws {
    let old = "flows: { order: { container: stack, handle: { show: { tabs: [item] } } } }\n"
    let order = DividedApp.files["flows/order.yaml"] ?? ""
    let kept = order.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("flows:") }.joined(separator: "\n")
    try write("\(kept)\n# The order.\n\(old)", to: "shop/flows/order.yaml")
    let would = try run("fix", "--dry-run", "shop")
    #expect(would == (1, "shop/flows/order.yaml: would rewrite 2 places\nshop/app.yaml: nothing to rewrite\n"))
    let fixed = try run("fix", "shop")
    #expect(fixed.output.hasPrefix("shop/flows/order.yaml: 2 places rewritten\nshop/app.yaml: nothing to rewrite\n"))
    #expect(
      try read("shop/flows/order.yaml")
        == "\(kept)\n# The order.\nflows: { order: { stack: [], handle: { show: { set: [item] } } } }\n")
    #expect(fixed.code == 1 && fixed.output.contains("shop/flows/order.yaml:"), "what the words do not decide is reported: \(fixed.output)")
    let part = try run("fix", "shop/flows/order.yaml")
    #expect(
      part.code == 0
        && part.output.hasSuffix(": declares no app; if another file includes it, name that file to check the whole definition\n"))
  }
}

/// An app in two files, and in one.
enum DividedApp {
  static let files = [
    "app.yaml": """
    app: divided
    language: 1
    include: [flows/*.yaml]
    root: main
    screens: { home: { emits: { pick: { id: integer } } } }
    flows: { main: { stack: home, handle: { pick: { push: order, start: { step: show, with: { id: $id } } } } } }

    """,
    "flows/order.yaml": """
    # yaml-language-server: $schema=../../app-part.schema.json
    screens: { item: { params: { id: integer } } }
    steps: { show: { id: integer } }
    flows: { order: { stack: [],
      handle: { show: { set: { screen: item, with: { id: $id } } } } } }

    """,
  ]

  static let single = """
    app: divided
    language: 1
    root: main
    screens: { home: { emits: { pick: { id: integer } } }, item: { params: { id: integer } } }
    steps: { show: { id: integer } }
    flows:
      main: { stack: home, handle: { pick: { push: order, start: { step: show, with: { id: $id } } } } }
      order: { stack: [], handle: { show: { set: { screen: item, with: { id: $id } } } } }

    """
}

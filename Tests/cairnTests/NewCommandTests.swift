import CairnTesting
import Foundation
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Creating an app` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    // The logs of the commands are outside of the folder in which they create an app.
    try FileManager.default.createDirectory(at: folder.appending(path: "projects"), withIntermediateDirectories: true)
  }

  private var projects: URL { folder.appending(path: "projects") }

  /// Runs a command in a folder below `projects`. Lines on stderr are in `error`.
  private func run(_ arguments: [String], in place: String = "") throws -> Finished {
    let process = try launch(arguments, in: place, error: .collected)
    let code = try process.exitCode()
    return Finished(code: code, output: process.output.text, error: process.error.text)
  }

  private func launch(
    _ arguments: [String], in place: String, environment: [String: String] = [:], error: ChildProcess.Stream = .null
  ) throws -> ChildProcess {
    try ChildProcess(
      Service.binary.path, arguments, environment: environment, folder: projects.appending(path: place).path, output: .collected,
      error: error)
  }

  private func text(_ path: String) throws -> String { try String(contentsOf: projects.appending(path: path), encoding: .utf8) }

  /// The paths of all files in a folder below `projects`, sorted.
  private func files(in place: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: projects.appending(path: place).path).filter {
      !AppFolder.isFolder(projects.appending(path: "\(place)/\($0)").path)
    }.sorted()
  }

  /// The commands of `cairn` that the workflow for CI runs, each as its arguments.
  private func commands(of app: String) throws -> [[String]] {
    try text("\(app)/.github/workflows/check.yml").split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/- run: cairn (.*)/#).map { $0.1.split(separator: " ").map(String.init) }
    }
  }

  @Test(arguments: ["blank", "tabs", "login"], ["notes", "x-" + String(repeating: "a", count: 62)])
  func `the commands of a new app's workflow find nothing in any template`(template: String, name: String) throws {
    let made = try run(["new", name, "--template", template])
    #expect((made.code, made.error) == (0, ""))
    let (definition, scenarios) = ("config/apps/\(name).yaml", "config/apps/\(name).scenarios.yaml")
    let commands = try commands(of: name)
    #expect(commands == [["check", "--strict", definition], ["test", scenarios], ["explore", definition, "--claims", scenarios]])
    let results = try commands.map { try run($0, in: name) }
    #expect(results.map(\.code) == [0, 0, 0])
    #expect(results[0].output == "\(definition): \(name), ok\n")
    #expect(!results[1].output.hasPrefix("0 ") && results[1].output.hasSuffix(" passed, 0 failed\n"), "\(results[1].output)")
    // One line: no limit of the exploration was reached, and no state is unknown.
    #expect(results[2].output.contains(#/^[^\n]*: nothing found in \d+ states and \d+ moves[^\n]*\n$/#), "\(results[2].output)")
  }

  @Test func `the output lists every file and the next commands, and the files have the app's name`() throws {
    let made = try run(["new", "deep/er/notes/"])
    let lines = made.output.split(separator: "\n").map(String.init)
    let files = try files(in: "deep/er/notes")
    #expect(files.count == 8)
    #expect(lines.filter { $0.hasPrefix("  deep/") }.map { $0.dropFirst("  deep/er/notes/".count) }.sorted() == files.map { $0[...] })
    #expect(lines.suffix(4) == ["Next:", "  cd deep/er/notes", "  cairn test config/apps/notes.scenarios.yaml", "  cairn serve --watch"])
    #expect(files.contains("config/apps/notes.yaml") && files.contains(".gitignore"))
    for file in files where file != "config/app.schema.json" {
      #expect(try !text("deep/er/notes/\(file)").contains("my-app"), "\(file)")
    }
    // The first line of the definition names the schema, relative to the definition.
    #expect(try text("deep/er/notes/config/apps/notes.yaml").hasPrefix("# yaml-language-server: $schema=../app.schema.json\n"))
    #expect(try text("deep/er/notes/config/app.schema.json") == run(["schema"]).output)
  }

  @Test(
    arguments: [
      "", "/", ".", "..", "Notes", "2notes", "nötes", "no_tes", "no tes", "-notes", "deep/Notes", "true", "https",
      String(repeating: "a", count: 65),
    ])
  func `a name that no app can have is refused, and nothing is written`(name: String) throws {
    let made = try run(["new", "--", name])
    #expect(made.code == 1 && made.output == "")
    #expect(made.error.hasPrefix("cairn: ") && made.error.split(separator: "\n").count == 1, "\(made.error)")
    #expect(made.error.contains(" must ") || made.error.contains("cannot be named `\(name)`"), "\(made.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: projects.path).isEmpty)
  }

  @Test func `an unknown template is refused with the list of templates`() throws {
    let made = try run(["new", "notes", "--template", "tab"])
    #expect((made.code, made.error) == (1, "cairn: there is no template `tab`; the templates are blank, tabs, login\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: projects.path).isEmpty)
  }

  @Test func `a folder with files and a file are refused, and an empty folder is used`() throws {
    let file = projects.appending(path: "notes/mine.txt")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    let full = try run(["new", "notes"])
    #expect((full.code, full.error) == (1, "cairn: the folder notes is not empty; choose another name, or a folder without files\n"))
    #expect(try files(in: "notes") == ["mine.txt"] && text("notes/mine.txt") == "mine")

    try FileManager.default.moveItem(at: file, to: projects.appending(path: "other"))
    let occupied = try run(["new", "other"])
    #expect((occupied.code, occupied.error) == (1, "cairn: other exists, and is not a folder that can be read; choose another name\n"))
    #expect(try text("other") == "mine")
    #expect(try run(["new", "notes"]).code == 0)
  }

  @Test func `if a file cannot be written, the message lists those that were written before it`() throws {
    let new = try NewFolder(projects.appending(path: "notes").path)
    let fault = #expect(throws: StartFailure.self) { try new.write([("a", "1"), ("b/c", "2"), ("a/d", "3"), ("e", "4")]) }
    #expect(fault?.text.hasSuffix("/notes/a/d cannot be written: File exists; written before: a, b/c") == true)
    #expect(try files(in: "notes") == ["a", "b/c"])
    let first = #expect(throws: StartFailure.self) { try NewFolder(projects.appending(path: "notes/a/app").path).write([("f", "5")]) }
    #expect(first?.text.hasSuffix("/a/app/f cannot be written: Not a directory; no file was written") == true)
  }

  @Test func `the next command names a path with a space or a quote as one word`() throws {
    #expect(try NewFolder("my apps/notes").report([]).contains("  cd 'my apps/notes'"))
    #expect(try NewFolder("it's/notes/").report([]).contains(#"  cd 'it'\''s/notes'"#))
  }

  @Test func `a start in an empty folder names the folder that was read, and the command that creates an app`() throws {
    let served = try run(["serve", "--port", "0"])
    #expect(served.code == 1)
    #expect(
      served.error.contains(
        """
        /projects/config/apps: the folder does not exist or cannot be read; name the folder of your definitions (cairn serve --apps), \
        or create the folder of an app: cairn new notes

        """), "\(served.error)")
  }

  @Test func `the service starts in the new folder without any flag, and creates a session of the app`() async throws {
    #expect(try run(["new", "notes"]).code == 0)
    let state = ["XDG_STATE_HOME": folder.appending(path: "state").path, "LC_ALL": "C.UTF-8"]
    let service = try launch(["serve", "--port", "0"], in: "notes", environment: state)
    let said = try await onOwnThread { try service.output.wait(for: "the address") { $0.contains("listens on") && $0.hasSuffix("\n") } }
    let url = String(try #require(said.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).0)
    #expect(said.contains("Console: \(url)/console\n"))

    let session = try launch(["session", "new", "notes", "--url", url], in: "", environment: state)
    #expect(try await onOwnThread { try session.exitCode() } == 0)
    #expect(session.output.text.contains("main  stack\n└─ home  ◀ visible\n"), "\(session.output.text)")
    #expect(try files(in: "notes").contains("var/cairn.sqlite"))
    service.signal(SIGTERM)
    #expect(try await onOwnThread { try service.exitCode() } == 0)
  }
}

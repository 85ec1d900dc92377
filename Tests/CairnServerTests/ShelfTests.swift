import CairnCore
import CairnDefinition
import CairnJournal
import Testing

@testable import CairnServer

@Suite struct `Served definitions from the folder and from puts` {
  /// A definition of an app. Different numbers result in different definitions.
  private static func loaded(_ app: String, _ number: Int) -> LoadedDefinition {
    let split = "{split: {master: [s\(number)], detail: s\(number)}}"
    let text = "{app: \(app), language: 1, root: {flow: main}, screens: {s\(number): {}}, flows: {main: \(split)}}"
    do { return try DefinitionLoader.load(file: "f", text: text) } catch { fatalError("\(error)") }  // the text is a constant of this file
  }

  /// A reading of the folder with the definition or the problem of each file.
  private static func reading(_ files: [(String, Result<LoadedDefinition, FolderReading.Unusable>)]) -> FolderReading {
    FolderReading(files.map { FolderReading.File($0.0, version: 1, $0.1) })
  }

  private var a1: LoadedDefinition { Self.loaded("a", 1) }
  private var a2: LoadedDefinition { Self.loaded("a", 2) }
  private var a3: LoadedDefinition { Self.loaded("a", 3) }
  private var b1: LoadedDefinition { Self.loaded("b", 1) }
  private let wrong: Result<LoadedDefinition, FolderReading.Unusable> = .failure(.init(["x.yaml:1:1: error: no"]))

  private func shelf(_ files: (String, Result<LoadedDefinition, FolderReading.Unusable>)..., after old: Shelf = Shelf()) -> Shelf {
    var shelf = old
    shelf.take(Self.reading(files), of: "apps")
    return shelf
  }

  private func putting(_ loaded: LoadedDefinition, on shelf: Shelf) -> Shelf {
    var shelf = shelf
    let above = shelf.filed[loaded.definition.app]?.definition.hash
    let edition = Edition(app: loaded.definition.app, definition: loaded.hash, since: 1, author: "alice", above: above)
    shelf.put(edition, PinnedDefinition(loaded))
    return shelf
  }

  @Test func `added, changed and removed files add, change and remove their apps`() {
    let one = shelf(("a.yaml", .success(a1)))
    let two = shelf(("a.yaml", .success(a2)), ("b.yaml", .success(b1)), after: one)
    #expect(ShelfChange.all(from: one, to: two) == [.changed(app: "a", from: a1.hash, to: a2.hash), .added(app: "b", definition: b1.hash)])
    #expect(ShelfChange.all(from: two, to: shelf(("b.yaml", .success(b1)), after: two)) == [.removed(app: "a")])
    let renamed = shelf(("a.yaml", .success(b1)), after: one)
    #expect(renamed.names == ["b"] && renamed.faults.isEmpty)
    let moved = shelf(("new.yaml", .success(a1)), after: one)
    #expect(ShelfChange.all(from: one, to: moved) == [] && moved.filed["a"]?.file == "new.yaml")
    #expect(moved.served["a"] === one.served["a"], "what is the same is not compiled again")
  }

  @Test func `an unusable file keeps its previous definition`() {
    let good = shelf(("a.yaml", .success(a1)), ("b.yaml", .success(b1)))
    let broken = shelf(("a.yaml", wrong), ("b.yaml", .success(b1)), after: good)
    #expect(ShelfChange.all(from: good, to: broken) == [])
    #expect(broken.faults == ["a.yaml": ["x.yaml:1:1: error: no"]])
    let mended = shelf(("a.yaml", .success(a2)), ("b.yaml", .success(b1)), after: broken)
    #expect(mended.served["a"]?.hash == a2.hash && mended.faults.isEmpty)
    let new = shelf(("a.yaml", .success(a1)), ("c.yaml", wrong), after: good)
    #expect(new.names == ["a"] && new.faults.keys.sorted() == ["c.yaml"])
    #expect(shelf(("b.yaml", .success(b1)), after: broken).names == ["b"], "and when it is gone, its app is")
  }

  @Test func `if two files define the same app, neither is used and the served definition stays`() {
    let one = shelf(("a.yaml", .success(a1)))
    let both = shelf(("a.yaml", .success(a2)), ("z.yaml", .success(a3)), after: one)
    #expect(both.served["a"]?.hash == a1.hash)
    let problem = ["the app a is defined by more than one file: a.yaml, z.yaml"]
    #expect(both.faults == ["a.yaml": problem, "z.yaml": problem])
    #expect(shelf(("z.yaml", .success(a3)), after: both).served["a"]?.hash == a3.hash)
    #expect(shelf(("a.yaml", .success(a2)), ("z.yaml", .success(a3))).served["a"] == nil, "where nothing was served, nothing is")
    let taken = shelf(("a.yaml", wrong), ("z.yaml", .success(a3)), after: one)
    #expect(taken.served["a"]?.hash == a3.hash, "a file that cannot be used stands in no other's way")
  }

  @Test func `an unreadable folder changes nothing`() {
    var shelf = shelf(("a.yaml", .success(a1)))
    shelf.take(FolderReading(fault: "apps: cannot be read"), of: "apps")
    #expect(shelf.names == ["a"] && shelf.faults == ["apps": ["apps: cannot be read"]])
    #expect(self.shelf(("a.yaml", .success(a1)), after: shelf).faults.isEmpty)
  }

  @Test func `a put definition is served until its file changes`() {
    let put = putting(a2, on: shelf(("a.yaml", .success(a1))))
    #expect(put.served["a"]?.hash == a2.hash && put.isPut("a"))
    let same = shelf(("a.yaml", .success(a1)), after: put)
    #expect(same.served["a"]?.hash == a2.hash, "the same text says nothing new")
    #expect(shelf(("a.yaml", wrong), after: put).served["a"]?.hash == a2.hash, "nor does one that cannot be used")
    let other = shelf(("a.yaml", .success(a3)), after: same)
    #expect(other.served["a"]?.hash == a3.hash && !other.isPut("a"))
    #expect(shelf(("a.yaml", .success(a1)), after: other).served["a"]?.hash == a1.hash)
  }

  @Test func `a put definition is removed with its file, and served again with it`() {
    let put = putting(a2, on: shelf(("a.yaml", .success(a1)), ("b.yaml", .success(b1))))
    let gone = shelf(("b.yaml", .success(b1)), after: put)
    #expect(gone.names == ["b"])
    #expect(shelf(("a.yaml", .success(a1)), ("b.yaml", .success(b1)), after: gone).served["a"]?.hash == a2.hash)
  }

  @Test func `an app without a file can be put, and is replaced by a file that defines it`() {
    let put = putting(a2, on: shelf(("b.yaml", .success(b1))))
    #expect(put.names == ["a", "b"])
    #expect(shelf(("b.yaml", .success(b1)), after: put).names == ["a", "b"])
    #expect(shelf(("a.yaml", .success(a1)), ("b.yaml", .success(b1)), after: put).served["a"]?.hash == a1.hash)
  }

  @Test func `each change of an app is reported in one line`() {
    let (from, to) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
    #expect(ShelfChange.changed(app: "x", from: from, to: to).text == "x was aaaaaaaaaaaa, is now bbbbbbbbbbbb")
    #expect(ShelfChange.added(app: "x", definition: to).text == "x is new, bbbbbbbbbbbb")
    #expect(ShelfChange.removed(app: "x").text == "x was removed; its sessions continue, and no new ones can be created")
  }
}

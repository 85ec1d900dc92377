import CairnRuntime
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Watching a folder` {
  private let base: URL
  private var folder: URL { base.appending(path: "apps") }
  private let told = Monitor(0)

  init() throws {
    base = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: base.appending(path: "apps"), withIntermediateDirectories: true)
  }

  private func watch(_ folder: URL) throws -> FolderWatch {
    try FolderWatch(folder.path) { [told] in told.change { $0 += 1 } }
  }

  /// Makes a change, and waits until it is reported.
  private func expectTold(_ what: Comment, _ work: () throws -> Void, line: Int = #line) throws {
    told.withLock { $0 = 0 }
    try work()
    let isTold: Bool? = told.wait(until: TestTimeout.deadline) { $0 > 0 ? true : nil }
    #expect(isTold == true, what, sourceLocation: SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1))
  }

  private func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }

  @Test func `written, copied, renamed, linked and removed files are reported`() throws {
    let watch = try watch(folder)
    defer { watch.stop() }
    let file = folder.appending(path: "a.yaml")
    try expectTold("a new file") { try write("1", to: file) }
    try expectTold("the same file written again") {
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data("2".utf8))
      try handle.close()
    }
    let draft = base.appending(path: "draft")
    try write("3", to: draft)
    try expectTold("saved by a rename from elsewhere") { #expect(rename(draft.path, file.path) == 0) }
    try expectTold("saved by a rename within") {
      try write("4", to: folder.appending(path: ".a.yaml.swp"))
      #expect(rename(folder.appending(path: ".a.yaml.swp").path, file.path) == 0)
    }
    try expectTold("a link") { #expect(symlink("a.yaml", folder.appending(path: "b.yaml").path) == 0) }
    try expectTold("who may read it") { #expect(chmod(file.path, 0o600) == 0) }
    try expectTold("a file that goes") { try FileManager.default.removeItem(at: file) }
  }

  @Test func `files in folders of the folder are reported, also in new ones`() throws {
    let inner = folder.appending(path: "one/two")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let watch = try watch(folder)
    defer { watch.stop() }
    try expectTold("a file in an inner folder") { try write("1", to: inner.appending(path: "a.yaml")) }
    let other = folder.appending(path: "three/four")
    try expectTold("new folders") { try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true) }
    try expectTold("a file in a new folder") { try write("2", to: other.appending(path: "b.yaml")) }
    try expectTold("a folder that goes") { try FileManager.default.removeItem(at: folder.appending(path: "one")) }
    try expectTold("a file after that") { try write("3", to: other.appending(path: "b.yaml")) }
  }

  @Test func `a mounted volume that replaces its data by a symbolic link is reported`() throws {
    for (name, text) in [("..1", "one"), ("..2", "two")] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false)
      try write(text, to: folder.appending(path: "\(name)/a.yaml"))
    }
    #expect(symlink("..1", folder.appending(path: "..data").path) == 0)
    #expect(symlink("..data/a.yaml", folder.appending(path: "a.yaml").path) == 0)
    let watch = try watch(folder)
    defer { watch.stop() }
    try expectTold("the link is turned") {
      #expect(symlink("..2", folder.appending(path: "..data_tmp").path) == 0)
      #expect(rename(folder.appending(path: "..data_tmp").path, folder.appending(path: "..data").path) == 0)
    }
    #expect(try String(contentsOf: folder.appending(path: "a.yaml"), encoding: .utf8) == "two")
  }

  @Test func `a folder that is replaced, removed and created again is reported`() throws {
    let watch = try watch(folder)
    defer { watch.stop() }
    try expectTold("renamed away") { #expect(rename(folder.path, base.appending(path: "old").path) == 0) }
    try expectTold("another in its place") {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    try expectTold("a file in that one") { try write("1", to: folder.appending(path: "a.yaml")) }
    try expectTold("removed") { try FileManager.default.removeItem(at: folder) }
    try expectTold("its parent too") { try FileManager.default.removeItem(at: base) }
    try expectTold("both back") { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    try expectTold("and looked at") { try write("1", to: folder.appending(path: "a.yaml")) }
  }

  @Test func `a changed symbolic link in the path is reported`() throws {
    for name in ["r1", "r2"] {
      try FileManager.default.createDirectory(at: base.appending(path: "\(name)/apps"), withIntermediateDirectories: true)
    }
    #expect(symlink("r1", base.appending(path: "current").path) == 0)
    let watch = try watch(base.appending(path: "current/apps"))
    defer { watch.stop() }
    try expectTold("turned") {
      #expect(symlink("r2", base.appending(path: "next").path) == 0)
      #expect(rename(base.appending(path: "next").path, base.appending(path: "current").path) == 0)
    }
    try expectTold("a file where it leads now") { try write("1", to: base.appending(path: "r2/apps/a.yaml")) }
  }

  @Test func `simultaneous changes are reported together, and changes beside the folder are not`() throws {
    let watch = try watch(folder)
    try write("x", to: base.appending(path: "beside"))
    try expectTold("many at once") { for number in 0..<200 { try write("x", to: folder.appending(path: "\(number).yaml")) } }
    // Every change before the stop has been reported. There is one report, unless the machine paused between two files.
    watch.stop()
    #expect(told.withLock { $0 } < 20)
  }

  @Test func `a missing folder is reported once it exists`() throws {
    let later = base.appending(path: "later/deep")
    let watch = try watch(later)
    defer { watch.stop() }
    try expectTold("made") { try FileManager.default.createDirectory(at: later, withIntermediateDirectories: true) }
    try expectTold("filled") { try write("1", to: later.appending(path: "a.yaml")) }
  }
}

import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Log file` {
  @Test func `after reopening, lines go into a new file with the same name`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, moved) = (folder.appending(path: "cairn.log").path, folder.appending(path: "cairn.log.1").path)
    let file = try LogFile(path)
    file.write(Array("one\n".utf8))
    try FileManager.default.moveItem(atPath: path, toPath: moved)
    file.write(Array("two\n".utf8))
    #expect(file.reopen() == nil)
    file.write(Array("three\n".utf8))
    #expect(try String(contentsOfFile: moved, encoding: .utf8) == "one\ntwo\n")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "three\n")
    // If the folder is missing, the previous file stays open.
    try FileManager.default.removeItem(at: folder)
    #expect(file.reopen()?.contains("No such file") ?? false)
    file.write(Array("four\n".utf8))
  }

  @Test func `the setting logFile sets the file, and SIGHUP reopens it`() async throws {
    let service = try await Service(environment: ["CAIRN_LOG_FILE": "cairn.log"])
    let (path, moved) = (service.folder.appending(path: "cairn.log"), service.folder.appending(path: "cairn.log.1"))
    _ = try await service.text(of: path, with: "message=started")
    #expect(try String(contentsOf: service.log, encoding: .utf8).isEmpty)
    try FileManager.default.moveItem(at: path, to: moved)
    service.signal(SIGHUP)
    _ = try await service.text(of: path, with: "operator keys read")
  }
}

extension Service {
  /// Returns the text of a log once it contains a text. Polls, because the file may not exist yet.
  func text(of log: URL, with text: String) async throws -> String {
    try await waitInTask(for: "\"\(text)\" in \(log.lastPathComponent)") {
      (try? String(contentsOf: log, encoding: .utf8))?.contains(text) ?? false
    }
    return try String(contentsOf: log, encoding: .utf8)
  }
}

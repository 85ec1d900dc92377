import CairnCore
import CairnRuntime
import Foundation
import Testing

@testable import CairnClient

/// The file that the client of each released version has stored (Tests/formats). The samples never change.
@Suite struct `Files of released clients` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "formats")

  private static let versions: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/kept.jsonl").path) }.sorted()
  }()

  private func lines(_ bytes: [UInt8]) throws -> [Value] {
    try bytes.split(separator: UInt8(ascii: "\n")).map { line in try JSONDocument.read(Array(line), depthLimit: 128) { $0.value } }
  }

  @Test(arguments: versions) func `all of a file is read, and is written in the same form`(version: String) throws {
    let remedy: Comment =
      "the file of \(version) changed: give the new form a new number, and keep reading the old one; see docs/versions.md"
    let file = Self.folder.appending(path: "\(version)/kept.jsonl")
    let notices = Lock<[String]>([])
    let kept = try #require(KeptSession.read(SessionKeeping(file: file) { notice in notices.withLock { $0.append(notice) } }), remedy)
    #expect(kept.pending.count == 2 && kept.groups.map(\.items.count) == [2] && kept.names.count == 1, remedy)
    #expect(kept.sealingKey != nil && kept.lastRefusal != nil && kept.secret != nil, remedy)
    let recorded = try lines(Array(Data(contentsOf: file)))
    // A later client with another engine reads the state from the service.
    guard recorded.last?["engine"] == .integer(Reducer.engine), recorded.last?["format"] == .integer(ReplicaFormat.version) else { return }
    #expect(notices.withLock { $0 } == [], remedy)
    #expect(kept.replica?.resumed != nil, remedy)
    guard recorded.first?["format"] == .integer(KeptSession.format) else { return }
    let written = try lines(kept.bytes)
    #expect(written == recorded, remedy)
  }

  @Test func `version 0.1 has a sample`() {
    #expect(Self.versions.first == "0.1")
  }
}

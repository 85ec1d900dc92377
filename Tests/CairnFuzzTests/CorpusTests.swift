import CairnFuzz
import Foundation
import Testing

/// What the fuzzer has found is played at every test run: an input that broke something once is kept, and so is what it learned from.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz").standardized

  private static func files(_ kind: String, _ input: FuzzInput) throws -> [URL] {
    let folder = Self.folder.appending(path: "\(kind)/\(input.rawValue)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
  }

  @Test(arguments: FuzzInput.allCases) func `the kept inputs break no promise`(input: FuzzInput) throws {
    let files = try Self.files("corpus", input) + ((try? Self.files("crashers", input)) ?? [])
    #expect(!files.isEmpty)
    for file in files { #expect(input.broken(by: Array(try Data(contentsOf: file))) == [], "\(file.lastPathComponent)") }
  }
}

import CairnFuzz
import CairnTesting
import Foundation
import Testing

/// Every test run replays the inputs of the fuzzer, both those that once failed and those that it has kept as a corpus.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz").standardized

  private static func files(_ kind: String, _ input: FuzzInput) throws -> [URL] {
    let folder = Self.folder.appending(path: "\(kind)/\(input.rawValue)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted { $0.path < $1.path }
  }

  @Test(arguments: FuzzInput.allCases) func `the inputs of the corpus violate no invariant`(input: FuzzInput) throws {
    let files = try Self.files("corpus", input) + ((try? Self.files("crashers", input)) ?? [])
    #expect(!files.isEmpty)
    for file in files { #expect(input.broken(by: Array(try Data(contentsOf: file))) == [], "\(file.lastPathComponent)") }
  }

  /// The numbers of a session's file are replaced by extreme ones, one or two at a time.
  @Test func `files of sessions with extreme numbers violate no invariant`() throws {
    var chance = Chance(seed: 2)
    let extreme = [
      "-9223372036854775808", "-2147483648", "-1", "0", "1", "2147483646", "2147483647", "2147483648", "8589934592", "253402300799999",
      "9007199254740991", "9223372036854775807",
    ]
    for file in try Self.files("corpus", .session) {
      let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
      let places = text.ranges(of: /-?[0-9]+/).filter { text[..<$0.lowerBound].last == ":" || text[..<$0.lowerBound].last == "," }
      for _ in 1...1_000 {
        var changed = text
        let chosen = (0...Int.random(in: 0...1, using: &chance)).map { _ in places[Int.random(in: 0..<places.count, using: &chance)] }
        for place in Set(chosen).sorted(by: { $0.lowerBound > $1.lowerBound }) {
          changed.replaceSubrange(place, with: extreme[Int.random(in: 0..<extreme.count, using: &chance)])
        }
        #expect(FuzzInput.session.broken(by: Array(changed.utf8)) == [], "\(changed.debugDescription)")
      }
    }
  }

  /// The first mutations of the fuzzer. `make fuzz` runs further ones.
  @Test(arguments: [FuzzInput.http, .headers]) func `mutated inputs of the corpus violate no invariant`(input: FuzzInput) throws {
    var chance = Chance(seed: 1)
    let kept = try Self.files("corpus", input).map { Array(try Data(contentsOf: $0)) }
    for _ in 1...2_000 {
      var bytes = kept[Int.random(in: 0..<kept.count, using: &chance)]
      for _ in 0...Int.random(in: 0...3, using: &chance) {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0...2, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.insert(contentsOf: bytes[Int.random(in: 0...place, using: &chance)...place], at: place)
        default: bytes.remove(at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      #expect(input.broken(by: bytes) == [], "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }
}

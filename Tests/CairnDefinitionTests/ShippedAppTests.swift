import CairnCore
import CairnDefinition
import Foundation
import Testing

/// The definitions that are shipped with Cairn.
enum ShippedApp {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps").standardized

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.contains(".scenarios.") }.sorted()
  }()

  static func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
}

@Suite struct ShippedAppTests {
  @Test func `the apps qiita and shop are shipped`() {
    #expect(ShippedApp.names.contains("qiita.yaml") && ShippedApp.names.contains("shop.yaml"))
  }

  @Test(arguments: ShippedApp.names) func `each app is parsed without a warning`(name: String) throws {
    let loaded = try DefinitionLoader.load(file: name, text: try ShippedApp.text(name))
    #expect(loaded.warnings == [])
    #expect(loaded.definition.app + ".yaml" == name)
  }

  @Test(arguments: ShippedApp.names) func `the canonical text gives the same definition and text`(name: String) throws {
    let loaded = try DefinitionLoader.load(file: name, text: try ShippedApp.text(name))
    let again = try DefinitionLoader.load(canonical: loaded.canonical)
    #expect(again.definition == loaded.definition)
    #expect(again.canonical == loaded.canonical)
    #expect(again.hash == loaded.hash)
  }
}

import CairnCore
import CairnDefinition
import CairnDerived
import CairnScenario

/// The files that developers write.
enum FuzzFile {
  /// Checks that a valid definition can be read again from its canonical text, can be drawn, and starts a session or returns a refusal.
  static func definition(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self),
      let loaded = try? DefinitionLoader.load(file: "fuzz.yaml", text: text)
    else { return [] }
    var broken: [String] = []
    if let again = try? DefinitionLoader.load(canonical: loaded.canonical) {
      if again.definition != loaded.definition { broken.append("the canonical text says something else") }
      if again.hash != loaded.hash { broken.append("the canonical text has another identity") }
    } else {
      broken.append("the canonical text cannot be read")
    }
    _ = try? Graph(loaded.definition)
    let reducer = Reducer(loaded.definition)
    if let (state, _) = try? reducer.create(Creation(), stamp: Stamp(time: 0, nonce: "fuzz")) { _ = reducer.tree(of: state) }
    return broken
  }

  /// Checks that valid scenarios can be run, whatever their result.
  static func scenarios(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self),
      let file = try? ScenarioReader.read(file: "fuzz.yaml", text: text)
    else { return [] }
    guard let app = try? DefinitionLoader.load(file: "app.yaml", text: FuzzApp.text) else { return ["the app of the scenarios is none"] }
    for scenario in file.scenarios.prefix(8) { _ = ScenarioRun.run(scenario, on: app.definition) }
    return []
  }
}

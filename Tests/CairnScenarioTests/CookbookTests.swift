import CairnDefinition
import CairnScenario
import Foundation
import Testing

/// Each definition in docs/cookbook.md is complete and has no warnings, and its cases pass.
@Suite struct CookbookTests {
  @Test func `each recipe has a title of its own, and the table at the top links to each`() {
    #expect(!Recipe.all.isEmpty)
    #expect(Set(Recipe.all.map(\.title)).count == Recipe.all.count)
    for recipe in Recipe.all { #expect(Recipe.head.contains("](#\(recipe.anchor))"), "\(recipe.title)") }
    #expect(Recipe.head.components(separatedBy: "](#").count == Recipe.all.count + 1)
  }

  @Test(arguments: Recipe.all) func `a recipe is parsed without a warning, and its cases pass`(recipe: Recipe) throws {
    #expect(recipe.blocks.count == 2)
    let checked = try DefinitionLoader.check(file: "\(recipe.anchor).yaml", text: try #require(recipe.blocks.first))
    #expect(checked.warnings == [])
    let cases = try #require(recipe.blocks.last).split(separator: "\n").map { "  \($0)\n" }.joined()
    let file = try ScenarioReader.read(file: recipe.anchor, text: "app: \(recipe.anchor).yaml\nscenarios:\n" + cases)
    #expect(!file.scenarios.isEmpty)
    for scenario in file.scenarios {
      #expect(ScenarioRun.run(scenario, on: checked.definition)?.differences == nil, "\(scenario.name)")
    }
  }

  @Test(arguments: Recipe.all) func `a recipe describes its purpose, its solution and its pitfalls`(recipe: Recipe) {
    let sentences = recipe.prose.split(separator: "\n").joined(separator: " ").split(separator: ". ")
    #expect((2...6).contains(sentences.count))
    #expect(sentences.contains { $0.hasPrefix("Do not ") })
  }
}

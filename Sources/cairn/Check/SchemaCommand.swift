import ArgumentParser
import CairnDefinition

/// `cairn schema`: prints the JSON Schema of definitions, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of definitions, for editors.",
    discussion: "config/app.schema.json contains the same text.")

  func run() {
    // `print` adds the line break that is dropped here.
    Terminal.print(String(DefinitionSchema.text.dropLast()))
  }
}

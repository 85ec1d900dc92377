import ArgumentParser
import CairnDefinition

/// `cairn schema`: the definition language for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of definitions, for editors.",
    discussion: "config/app.schema.json is this text.")

  func run() {
    // The line break at its end is the terminal's.
    Terminal.print(String(DefinitionSchema.text.dropLast()))
  }
}

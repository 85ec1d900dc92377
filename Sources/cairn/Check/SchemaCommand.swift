import ArgumentParser
import CairnDefinition

/// `cairn schema`: prints the JSON Schema of definitions, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of definitions, for editors.",
    discussion: "config/app.schema.json contains the same text, and config/app-part.schema.json that of --part.")

  @Flag(help: "Prints the schema of a file that a definition includes.")
  var part = false

  func run() {
    // `print` adds the line break that is dropped here.
    Terminal.print(String((part ? DefinitionSchema.textOfPart : DefinitionSchema.text).dropLast()))
  }
}

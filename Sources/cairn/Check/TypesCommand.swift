import ArgumentParser
import CairnDefinition
import CairnDerived

/// `cairn types FILE`: prints an app's steps, screens, flows and facts as types of a programming language.
struct TypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Prints an app's types for TypeScript, Swift or Kotlin.",
    discussion: """
      Clients use the types of the steps, screens, flows and facts. The same definition always produces the same text. Its first lines \
      identify the definition.
      """)

  @Argument(help: ArgumentHelp("A definition in YAML or JSON, or a folder with app.yaml.", valueName: "file"))
  var file: String

  @Option(help: "Language of the types.")
  var language: Language

  func run() throws {
    do throws(StartFailure) {
      let loaded = try AppFolder.load(file)
      // `print` adds the line break that is dropped here.
      Terminal.print(String(AppTypes(loaded.definition, hash: loaded.hash).text(in: language).dropLast()))
    } catch {
      Terminal.complain(error.text)
      throw ExitCode(1)
    }
  }
}

extension Language: ExpressibleByArgument {}

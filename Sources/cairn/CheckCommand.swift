import ArgumentParser
import CairnCore
import CairnDefinition

/// `cairn check FILE…`: says everything that is wrong with definition files.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks definition files and prints everything that is wrong with them.",
    discussion: "Exits with 0 if every file is a definition (warnings do not count), else with 1.")

  @Argument(help: ArgumentHelp("Definitions in YAML or JSON.", valueName: "file"))
  var files: [String]

  func run() throws {
    var isWrong = false
    for file in files {
      do throws(StartFailure) {
        let loaded = try AppFolder.load(file)
        for warning in loaded.warnings { Terminal.print("\(warning)") }
        Terminal.print("\(file): \(loaded.definition.app), ok")
      } catch {
        isWrong = true
        Terminal.print(error.text)
      }
    }
    if isWrong { throw ExitCode(1) }
  }
}

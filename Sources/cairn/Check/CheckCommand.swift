import ArgumentParser
import CairnCore
import CairnDefinition
import CairnScenario

/// `cairn check FILE…`: prints all errors and warnings of definition files.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reports all errors and warnings of definitions.",
    discussion: """
      Warnings include steps that are never sent or never handled, screens and flows that are never shown, modals that are never \
      dismissed, links that no URL matches, and facts and sets that are never used.

      A file whose name contains .migrate. is checked as a migration between the definitions that it names.

      Exits with 0 if every file is valid, otherwise with 1. With --strict, warnings count as errors.
      """)

  @Argument(
    help: ArgumentHelp("Definitions in YAML or JSON; also migrations and scenarios. For a folder, its app.yaml is read.", valueName: "file")
  )
  var files: [String]

  @Flag(help: "Treats warnings as errors.")
  var strict = false

  @OptionGroup var limits: CheckLimitsOptions

  func run() throws {
    var isWrong = false
    for file in files {
      do throws(StartFailure) {
        if AppFolder.holdsScenarios(file) {
          let scenarios = try AppFolder.scenarios(file)
          Terminal.print("\(file): \(CountText.of(scenarios.scenarios.count, "scenario")), ok; cairn test runs them")
          continue
        }
        if AppFolder.isMigration(file) {
          let migration = try MigrationFile(file)
          Terminal.print("\(file): \(migration.new.loaded.definition.app), a migration, ok")
          continue
        }
        let source = try AppFolder.read(file)
        let loaded: LoadedDefinition
        do throws(StartFailure) {
          loaded = try AppFolder.check(source, limits.limits)
        } catch {
          isWrong = true
          Terminal.print(diagnostics: error.text)
          if source.isPart, source.root != nil { Terminal.print("\(file): declares no app; if another file includes it, check that file") }
          continue
        }
        for warning in loaded.warnings { Terminal.print(diagnostics: "\(warning)") }
        if strict && !loaded.warnings.isEmpty {
          isWrong = true
        } else {
          Terminal.print("\(file): \(loaded.definition.app), ok")
        }
      } catch {
        isWrong = true
        Terminal.print(diagnostics: error.text)
      }
    }
    if isWrong { throw ExitCode(1) }
  }
}

import ArgumentParser
import CairnDefinition
import CairnScenario
import Foundation

/// `cairn test FILE…`: runs scenario files in process, with a manual clock.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs scenario files and prints what did not hold.",
    discussion: "Each file names its definition in `app:`. Exits with 0 if every scenario holds, else with 1.")

  @Argument(help: ArgumentHelp("Scenario files.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("Writes the results as JUnit XML too.", valueName: "file"))
  var junit: String?

  func run() throws {
    var report = JUnitReport()
    var passed = 0
    var failed = 0
    for file in files {
      do throws(StartFailure) {
        let results = try Self.results(of: file)
        report.add(results, file: file)
        passed += results.filter { $0.failure == nil }.count
        for result in results {
          guard let failure = result.failure else { continue }
          failed += 1
          let title = [result.scenario.number, result.scenario.name].compactMap { $0 }.joined(separator: " ")
          let differences = failure.differences.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
          Terminal.print("\(file):\(failure.line): \(title)\n" + differences.map { "    \($0)" }.joined(separator: "\n"))
        }
      } catch {
        failed += 1
        Terminal.print(error.text)
      }
    }
    if let junit {
      do {
        try report.text.write(toFile: junit, atomically: true, encoding: .utf8)
      } catch {
        Terminal.complain("cairn: \(junit) cannot be written")
        throw ExitCode(2)
      }
    }
    Terminal.print("\(passed) passed, \(failed) failed")
    if failed > 0 { throw ExitCode(1) }
  }

  private static func results(of file: String) throws(StartFailure) -> [ScenarioResult] {
    let scenarios = try AppFolder.scenarios(file)
    let app = URL(filePath: file).deletingLastPathComponent().appending(path: scenarios.app).path
    let definition = try AppFolder.load(app).definition
    return scenarios.scenarios.map { ScenarioResult(scenario: $0, failure: ScenarioRun.run($0, on: definition)) }
  }
}

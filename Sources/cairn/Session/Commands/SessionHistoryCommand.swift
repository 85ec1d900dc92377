import ArgumentParser
import CairnAPI
import CairnClient
import CairnCore
import Foundation

/// `cairn session history`: prints the session's history, or a scenario made from it.
struct SessionHistoryCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Prints the history of the session, oldest entry first.")

  @Option(help: ArgumentHelp("Prints only entries after this revision.", valueName: "number"))
  var after: Int?

  @Option(help: ArgumentHelp("Maximum number of entries. (default: all)", valueName: "number"))
  var limit: Int?

  @Flag(help: "Prints the history as a scenario file for cairn test.")
  var scenario = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    if scenario, options.json || after ?? 0 > 0 || limit != nil {
      throw ValidationError("--scenario prints YAML from the first entry; omit --json, --after and --limit")
    }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    if scenario {
      Terminal.print(String(try await session.scenario().dropLast()))
      return .done
    }
    let report = SessionReport(options)
    var (place, rest) = (after, limit ?? .max)
    var isFirst = true
    while rest > 0 {
      let page = try await session.history(after: place, limit: min(rest, 100))
      if isFirst, after == nil, let first = page.firstRevision, !options.json {
        Terminal.print("the history before revision \(first) was forgotten")
      }
      isFirst = false
      for entry in page.entries { show(entry, report) }
      rest -= page.entries.count
      guard page.hasMore, let last = page.entries.last else { break }
      place = last.revision
    }
    return .done
  }

  private func show(_ entry: HistoryEntry, _ report: SessionReport) {
    if report.isJSON { Terminal.print(SessionReport.text(entry.json, isPretty: false)) } else { report.print(EntryLine.of(entry)) }
  }
}

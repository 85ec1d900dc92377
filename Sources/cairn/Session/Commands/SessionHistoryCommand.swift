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

  @Option(help: ArgumentHelp("Prints only entries of this time or later: a UTC time, a day, or an age such as 30d.", valueName: "time"))
  var since: String?

  @Option(help: ArgumentHelp("Prints only entries before this time.", valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp("Time of an entry that --since and --until limit: receivedAt, or at, when its user acted. (default: receivedAt)"))
  var by: String?

  @Flag(help: "Prints the history as a scenario file for cairn test.")
  var scenario = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    if scenario, options.json || after ?? 0 > 0 || limit != nil || since != nil || until != nil || by != nil {
      throw ValidationError("--scenario prints YAML from the first entry; omit --json, --after, --limit, --since, --until and --by")
    }
    if let by, EntryPeriod.Time(rawValue: by) == nil { throw ValidationError("--by must be at or receivedAt, not \(by)") }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    if scenario {
      Terminal.print(String(try await session.scenario().dropLast()))
      return .done
    }
    let report = SessionReport(options)
    var (place, rest) = (after, limit ?? .max)
    let period = EntryPeriod(since: since, until: until, by: by.flatMap(EntryPeriod.Time.init) ?? .receivedAt)
    var isFirst = true
    while rest > 0 {
      let page = try await session.history(after: place, in: period, limit: min(rest, 100))
      if isFirst, after == nil, let first = page.firstRevision, !options.json {
        Terminal.print("the history before revision \(first) was forgotten")
      }
      isFirst = false
      for entry in page.entries { show(entry, report) }
      rest -= page.entries.count
      guard let next = page.nextRevision else { break }
      place = next
    }
    return .done
  }

  private func show(_ entry: HistoryEntry, _ report: SessionReport) {
    if report.isJSON { Terminal.print(SessionReport.text(entry.json, isPretty: false)) } else { report.print(EntryLine.of(entry)) }
  }
}

import ArgumentParser
import CairnClient
import CairnCore
import Foundation

/// `cairn session list`: lists the sessions that are stored on this machine, or all sessions of the service.
struct SessionListCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the sessions that are stored on this machine or, with --key, all sessions of the service.",
    discussion: "Secrets are not shown. CAIRN_OPERATOR_KEY does not replace --key here.")

  @Option(help: ArgumentHelp("Lists only sessions of this app.", valueName: "app"), completion: SessionCompletion.apps)
  var app: String?

  @Option(help: ArgumentHelp("Lists only sessions with this label; needs --key.", valueName: "label"))
  var label: String?

  @OptionGroup var options: SessionOptions

  var actsOnSession: Bool { false }

  func validate() throws {
    if label != nil, options.key == nil {
      throw ValidationError("--label needs the operator's --key, because labels are not stored on this machine")
    }
  }

  func play() async throws -> SessionExit {
    let report = SessionReport(options)
    if options.key == nil {
      remembered(report)
      return .done
    }
    let client = try options.client()
    var next: String?
    repeat {
      let page = try await client.sessions(SessionFilter(app: app, label: label), after: next)
      for session in page.sessions { show(session, report) }
      next = page.next
    } while next != nil
    return .done
  }

  private func show(_ session: SessionPage.Item, _ report: SessionReport) {
    var members: [String: Value] = ["id": .string(session.id), "app": .string(session.app), "revision": .integer(session.revision)]
    members["label"] = session.label.map(Value.string)
    members["visible"] = session.visible.map { .string($0.screen) }
    if report.isJSON { return Terminal.print(SessionReport.text(.object(members), isPretty: false)) }
    var line = StyledLine("\(session.id)  \(session.app)  revision \(session.revision)")
    if let visible = session.visible { line.add("  \(visible.screen)") }
    if let label = session.label { line.add("  \"\(label)\"", .dim) }
    report.print(line)
  }

  private func remembered(_ report: SessionReport) {
    let memory = SessionMemory.load(ProcessInfo.processInfo.environment)
    for item in memory.sessions where app == nil || item.app == app {
      if report.isJSON {
        let members: Value = ["name": .string(item.name), "id": .string(item.id), "app": .string(item.app), "url": .string(item.url)]
        Terminal.print(SessionReport.text(members, isPretty: false))
        continue
      }
      var line = StyledLine(item.name, item == memory.last ? .bold : nil)
      line.add(
        (item.name == item.id ? "" : "  \(item.id)") + "  \(item.app)  \(item.url)" + (item == memory.last ? "  (used by default)" : ""))
      report.print(line)
    }
  }
}

import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnStore

extension HistoryEndpoints {
  /// The values of the query parameter `as`, the format of a history.
  enum HistoryForm: String, CaseIterable { case json, scenario }

  /// The values of the query parameter `by`: the time of an entry to which `since` and `until` apply.
  enum HistoryTime: String, CaseIterable { case at, receivedAt }

  /// The largest size of a scenario's steps, in bytes. A scenario file can have 1 MiB, so this limit leaves room for the other parts of the
  /// file.
  private static let scenarioSize = 640 << 10

  /// Responds with a session's history as a scenario file, from the session's start. If the limits end the scenario before the end of the
  /// history, a comment in the file states this.
  func sendScenario(of session: Session, to role: Role, limit: Int, _ call: Call) {
    store.history(
      of: session.id, after: 0, limit: limit, bytes: Self.scenarioSize, while: call.isWanted,
      as: { item in
        let happening = Happening(item.entry(for: role, placeholder: nil), from: item.before, to: item.after, item.reducer)
        return (happening, happening.size)
      }
    ) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let page):
        var scenario = HistoryScenario(comparesTime: session.definition.definition.comparesTime)
        for happening in page.items { scenario.add(happening) }
        if let obstacle = scenario.obstacle {
          return call.reject(Rejection(.invalid, "this history cannot be written as a scenario: \(obstacle)"))
        }
        var notes = [
          "Session \(session.id) up to revision \(page.last ?? 0), now on the definition \(session.definition.hash).",
          "Tokens, codes, and those values of the environment that no fact shows, are placeholders.",
        ]
        if page.more { notes.append("The scenario is incomplete: the history continues after revision \(page.last ?? 0).") }
        let text = scenario.text(app: session.app, title: "the history of session \(session.id)", notes: notes)
        // The media type is registered by RFC 9512.
        call.answer(Response(status: 200, text: text, type: "application/yaml"))
      }
    }
  }
}

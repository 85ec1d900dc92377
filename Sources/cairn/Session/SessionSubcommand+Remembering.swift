import CairnClient
import Foundation

extension SessionSubcommand {
  /// Remembers a session that was started, with its secret. `name` is the session's name on this machine; if it is `nil`, the session's id
  /// becomes the name.
  func remember(_ session: SessionClient, named name: String? = nil, of app: String, at url: String) {
    let item = SessionMemory.Item(name: name ?? session.id, url: url, id: session.id, secret: session.secret, app: app)
    let isKept = SessionMemory.change(ProcessInfo.processInfo.environment) { memory in
      memory.sessions.removeAll { $0.name == item.name }
      memory.sessions.append(item)
      memory.current = item.id
    }
    guard !isKept else { return }
    Terminal.complain(
      "cairn: the session cannot be stored on this machine; to use it, set CAIRN_SESSION=\(session.id) CAIRN_SECRET=\(session.secret)")
  }

  /// Remembers and shows a session that an operator's request started.
  func begin(_ session: SessionClient, at url: String) -> SessionExit {
    guard let created = session.created else { return .failed }
    remember(session, of: created.app, at: url)
    SessionReport(options).show(created)
    return .done
  }
}

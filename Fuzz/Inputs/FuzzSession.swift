import CairnAPI
import CairnCore
import CairnTesting

/// A session of a shipped app or of `FuzzApp`, and untrusted input for it.
enum FuzzSession {
  /// The apps that the first byte of an input selects. The number after the last one selects `FuzzApp`.
  private static let apps = ["flow-controller-modal", "flow-controller-push", "load-studies", "qiita", "rxflow-demo", "shop"]

  /// A new session of each app.
  private static let started: [Drive] =
    apps.compactMap { try? Drive(app: $0, creation: creation) } + [try? Drive(FuzzApp.text, creation: creation)].compactMap(\.self)

  /// The redirect URL is set, so that URLs of the corpus are redirects of the OAuth provider.
  private static let creation = Creation(hasToken: true, environment: ["QIITA_REDIRECT_URL": "app://cb"], manualClock: true)

  /// The maximum number of lines that are used per input. More lines would find nothing new.
  private static let lineLimit = 32

  private static func drive(_ bytes: [UInt8]) -> Drive? {
    guard let first = bytes.first else { return nil }
    precondition(started.count == apps.count + 1, "every shipped app starts")
    return started[Int(first) % started.count]
  }

  private static func lines(_ bytes: [UInt8]) -> some Sequence<[UInt8]> {
    bytes.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(lineLimit).lazy.map(Array.init)
  }

  static func posting(_ bytes: [UInt8]) -> [String] {
    guard var drive = drive(bytes) else { return [] }
    for line in lines(bytes) {
      guard let request = try? JSONBody.read(line, { element throws(BodyFault) in try ActionRequest(element, byOperator: true) }) else {
        continue
      }
      for command in request.commands { post(command, &drive) }
    }
    return promises(drive)
  }

  static func opening(_ bytes: [UInt8]) -> [String] {
    guard var drive = drive(bytes) else { return [] }
    for line in lines(bytes) {
      if let url = String(validating: line, as: UTF8.self) { drive.post(.open(url: url)) }
    }
    return promises(drive)
  }

  static func notifying(_ bytes: [UInt8]) -> [String] {
    guard var drive = drive(bytes) else { return [] }
    for line in lines(bytes) {
      guard let body = try? JSONBody.read(line), let notification = try? NotificationRequest(body),
        let command = try? notification.command(drive.reducer.definition.notifications, tap: line.count % 2 == 0, appState: .foreground)
      else { continue }
      drive.post(command)
    }
    return promises(drive)
  }

  private static func post(_ command: Command, _ drive: inout Drive) {
    if case .advance(let milliseconds) = command { drive.advance(milliseconds) } else { drive.post(command) }
  }

  private static func promises(_ drive: Drive) -> [String] {
    var broken = drive.broken
    if (try? drive.replayed()) != drive.state { broken.append("the entries give another state") }
    return broken
  }
}

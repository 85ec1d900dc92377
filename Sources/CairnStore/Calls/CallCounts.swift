/// Outgoing calls with a slot and calls that wait, per app. An app that had any stays, with zeros, so that its gauges do not vanish.
package struct CallCounts: Hashable, Sendable {
  /// Of one app.
  package struct Count: Hashable, Sendable {
    package var running = 0
    package var waiting = 0
  }

  /// By app. Of more than `most` apps, the rest is `other`.
  package private(set) var byApp: [String: Count] = [:]
  /// Exact, whatever the number of apps; an app without any is not in it.
  private var running: [String: Int] = [:]

  private static let most = 100

  init() {}

  /// Calls of an app that have a slot.
  func running(of app: String) -> Int { running[app] ?? 0 }

  mutating func change(_ app: String, running: Int = 0, waiting: Int = 0) {
    let label = byApp[app] != nil || byApp.count < Self.most ? app : "other"
    byApp[label, default: Count()].running += running
    byApp[label, default: Count()].waiting += waiting
    guard running != 0 else { return }
    let count = self.running(of: app) + running
    self.running[app] = count == 0 ? nil : count
  }
}

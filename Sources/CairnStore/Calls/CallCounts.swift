/// The numbers of running and waiting calls per app. An app without calls stays in the list with zeros, so that its gauges do not vanish.
package struct CallCounts: Hashable, Sendable {
  /// The numbers of one app.
  package struct Count: Hashable, Sendable {
    package var running = 0
    package var waiting = 0
  }

  /// The numbers by app. Apps beyond the first `most` are counted together as `other`.
  package private(set) var byApp: [String: Count] = [:]
  /// The exact number of running calls per app. Apps without running calls are not included.
  private var running: [String: Int] = [:]

  private static let most = 100

  init() {}

  /// The number of an app's running calls, even if `byApp` counts the app as `other`.
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

public import Foundation

/// The file in which a predicted session stores its state and its actions, so that they survive a restart of the app. Only one predicted session at a time may
/// use a file.
public struct SessionKeeping: Sendable {
  public var file: URL
  /// Whether the file also contains the session's secret, with which `CairnClient.resume` continues the session. Without it, the app stores the id and the
  /// secret itself.
  public var remembersSecret: Bool
  /// Receives a message if stored content is discarded, and once if the file cannot be written.
  public var onNotice: @Sendable (String) -> Void

  public init(file: URL, remembersSecret: Bool = false, onNotice: @escaping @Sendable (String) -> Void = { _ in }) {
    self.file = file
    self.remembersSecret = remembersSecret
    self.onNotice = onNotice
  }

  /// The stored groups of refused actions, the oldest first, including those of sessions that have ended.
  public var groups: [RefusedGroup] { KeptSession.read(self)?.groups.map(\.shown) ?? [] }

  /// Deletes a stored group. Must not be called while a predicted session uses the file. Throws if the file cannot be written.
  public func discard(_ group: String) throws {
    guard var kept = KeptSession.read(self) else { return }
    kept.groups.removeAll { $0.id == group }
    try OutboxDisk.replace(file, by: kept.isEmpty ? nil : kept.bytes)
  }
}

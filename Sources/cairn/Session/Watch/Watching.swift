import CairnClient

/// A way to show a session live.
protocol Watching {
  /// It shows what the stream does not say.
  var needsSession: Bool { get }

  /// Something came; `session`: as it is now, where that was read.
  mutating func tell(_ event: SessionEvent, _ session: SessionView?)

  /// A second went by; the terminal may have another size.
  mutating func tick()

  /// Nothing more comes.
  mutating func end()
}

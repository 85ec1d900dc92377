import CairnCore

/// The flow whose handlers are being read.
struct CurrentFlow {
  var name: String
  var container: Node.Kind?
  /// The steps that the flow handles or adapts.
  var handled: Set<String> = []
  /// The children that a switch declares; `nil` if they are unknown.
  var children: [String]?
  /// The gates of the flow's tabs.
  var gates: [TabGate] = []
}

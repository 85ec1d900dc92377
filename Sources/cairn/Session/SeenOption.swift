import ArgumentParser
import CairnClient
import CairnCore

/// The option `--from` of a gesture.
struct SeenOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Node of the screen on which the user made the gesture, such as n7. (default: the visible screen) The gesture changes nothing if that \
      node no longer exists, if a level covers it or, unless the definition has covered: accept, if anything else covers it.
      """,
      valueName: "node"))
  var from: String?

  func validate() throws {
    if let from, NodeID(from) == nil { throw ValidationError("--from must be a node such as n7, not \"\(from)\"") }
  }

  /// Returns the node that the option names. Without the option, reads the session and returns `nil`, so that the gesture is bound to the
  /// visible node.
  func node(_ session: SessionClient) async throws -> NodeID? {
    if let from { return NodeID(from) }
    _ = try await session.session()
    return nil
  }
}

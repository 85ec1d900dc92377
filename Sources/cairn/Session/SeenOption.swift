import ArgumentParser
import CairnClient
import CairnCore

/// The option `--from` of a gesture.
struct SeenOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The node of the screen that you saw, such as n7. (default: the visible screen) If it is covered or closed when the gesture arrives, nothing changes.",
      valueName: "node"))
  var from: String?

  func validate() throws {
    if let from, NodeID(from) == nil { throw ValidationError("--from must be a node such as n7, not \"\(from)\"") }
  }

  /// The node that the user saw; `nil` for the visible one, which is read so that the gesture is bound to it.
  func node(_ session: SessionClient) async throws -> NodeID? {
    if let from { return NodeID(from) }
    _ = try await session.session()
    return nil
  }
}

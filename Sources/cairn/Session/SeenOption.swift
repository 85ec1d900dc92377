import ArgumentParser
import CairnClient
import CairnCore

/// The option `--from` of a gesture.
struct SeenOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The screen that you saw, like n7; without it, the one that is visible now. If that is covered or gone when the gesture arrives, nothing changes.",
      valueName: "node"))
  var from: String?

  func validate() throws {
    if let from, NodeID(from) == nil { throw ValidationError("a node is like n7, not \"\(from)\"") }
  }

  /// The node that the user saw; `nil` for the visible one, which is read so that the gesture is bound to it.
  func node(_ session: SessionClient) async throws -> NodeID? {
    if let from { return NodeID(from) }
    _ = try await session.session()
    return nil
  }
}

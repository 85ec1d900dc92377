import CairnCore

/// A transition as the app's author sees it: the visible screen, the kind of move, and the branches of handlers that ran.
struct Passage: Hashable, Sendable {
  var screen: String?
  var deed: String
  var branches: [Int]

  init(from screen: String?, by move: Move, _ branches: [Int]) {
    self.screen = screen
    self.branches = branches
    deed =
      switch move.deed {
      case .action(.step(let step, _)): step.step
      case .open(let url, let link): link.map { "link \($0)" } ?? url
      case .advance: "advance"
      case .end(_, .loaded): "loaded"
      case .end(_, .failed(let reason)): "failed \(reason)"
      case .action, .token, .redirect, .end: move.inLine
      }
  }
}

/// A probable fault of an app, or a claim that is false.
package struct Finding: Sendable {
  package var kind: Kind
  /// The finding as a sentence.
  package var text: String
  /// The shortest path to the finding, as a passing case of a scenario file; `nil` if there is no path, for example for a screen that is never reached.
  package var scenario: String?

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A state from which neither an action of the user nor waiting makes progress.
    case dead
    /// A screen, handler, branch or link that is never reached.
    case unreached
    /// A link that is held but never followed.
    case unresumed
    /// A link whose page is covered whenever the link is followed.
    case unseen
    /// Nodes that are added again and again without any input, for example by a timer that pushes a screen.
    case growth
    /// A load that restarts itself repeatedly without any input.
    case restart
    case stepLoop = "step-loop"
    /// A step that was dropped, for example because no flow handled it.
    case dropped
    /// An action that the state offered and then refused.
    case refused
    /// A group of actions that the client has shown without a network, and that are refused when they arrive.
    case offline
    /// A lock, which is a modal that protects the pages below it. The client shows the lock without a network, but after the delivery of
    /// the queue it is gone, or the user's own pages cover it. Also a lock that others have presented, and under which an action of the
    /// user runs.
    case lifted
    /// A result of a flow that reaches its receiver in a client without a network, but not in the service. Also an open flow or changed
    /// content that a held entry removes.
    case lost
    /// A modal or an overlay of others that the user's actions remove before the user has seen it. Also a held entry that is dropped after
    /// the user's actions.
    case missed
    /// A guarded node, or an overlay without an end, that no path can remove.
    case kept
    case claim
    /// A state that cannot move to the new definition.
    case migration

    /// Whether the finding is about a queue of actions without a network.
    var isOfQueue: Bool { [.offline, .lifted, .lost, .missed].contains(self) }
  }

  package init(_ kind: Kind, _ text: String, scenario: String? = nil) {
    self.kind = kind
    self.text = text
    self.scenario = scenario
  }
}

/// Something about an app that its author hardly meant, or a claim that does not hold.
package struct Finding: Sendable {
  package var kind: Kind
  /// A sentence.
  package var text: String
  /// The shortest way there, as a case of a scenario file that holds; nil: there is no way to what never happens.
  package var scenario: String?

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Nothing that can be done there leads on.
    case dead
    /// A screen, a handler, a branch or a link that nothing comes to.
    case unreached
    /// A link that is held and never followed.
    case unresumed
    /// A state that grows without any input.
    case growth
    /// A load that starts itself again and again without any input.
    case restart
    case stepLoop = "step-loop"
    /// A step that no flow handles.
    case dropped
    /// Something that was promised, and refused.
    case refused
    /// Something that is asked before it goes, and never goes.
    case kept
    case claim
  }

  package init(_ kind: Kind, _ text: String, scenario: String? = nil) {
    self.kind = kind
    self.text = text
    self.scenario = scenario
  }
}

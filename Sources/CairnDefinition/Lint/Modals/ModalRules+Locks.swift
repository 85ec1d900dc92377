import CairnCore

extension ModalRules {
  /// Reports guarded modals on a level that ask for a secret, such as a PIN, and are not sealed. A client may post an action late. The action is then run on
  /// the pages that its user saw, so it reaches the nodes under such a modal.
  func locksThatAreNotSealed() -> [Finding] {
    operations.compactMap { site -> Finding? in
      guard case .present(let lock, _, _, _, _?) = site.operation, lock.leave != nil, !lock.isSealed,
        screens(of: lock).contains(where: asksForSecret)
      else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "`\(lock.target.name)` looks like a lock but is not sealed; add `sealed: true`, so that no earlier action of a user reaches a node under it"
      )
    }
  }

  /// The screens with which a modal begins.
  private func screens(of modal: Contribution) -> [String] {
    if let screen = modal.screen { return [screen] }
    return modal.flow.flatMap { definition.flows[$0]?.arrivals.compactMap(\.contribution.screen) } ?? []
  }

  /// Whether a screen may send a step with a secret param.
  private func asksForSecret(_ screen: String) -> Bool {
    (definition.screens[screen]?.emits ?? []).contains { step in
      definition.steps[step]?.params.values.contains(where: \.isSecret) ?? false
    }
  }
}

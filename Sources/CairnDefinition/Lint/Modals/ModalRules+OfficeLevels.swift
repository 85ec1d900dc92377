import CairnCore

extension ModalRules {
  /// Reports a modal that an operator or a notification presents, if a step of a screen presents another modal on the same level. A user
  /// without a network does not see the first modal, and opens the other modal in front of it. A modal with `queue`, or with a condition
  /// that names the other modal, is not reported, because its author has considered this case. A sealed modal with `replace` is not
  /// reported either, because it is always in front.
  func levelsOfUserAndOffice() -> [Finding] {
    let office = following(stepsOfOffice)
    let user = following(stepsOfScreens).subtracting(office)
    return operations.compactMap { site -> Finding? in
      guard office.contains(site.step), case .present(let own, _, _, let replace, let level?) = site.operation, !level.queue,
        !(own.isSealed && replace)
      else { return nil }
      let others = operations.compactMap { other -> String? in
        guard user.contains(other.step), case .present(let modal, _, _, _, let taken?) = other.operation, taken.number == level.number,
          modal.target != own.target, !conditions(of: site, name: modal.target.name), !conditions(of: other, name: own.target.name)
        else { return nil }
        return modal.target.name
      }
      guard let other = others.first else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "`\(own.target.name)` is not shown while `\(other)` is on level \(level.number), which the user may open without knowing of it; "
          + "give `\(own.target.name)` a higher level of its own, or add `queue: true` if it may wait")
    }
  }

  /// The steps that operators post, and those that notifications send without a tap of the user.
  private var stepsOfOffice: Set<String> {
    let taken = definition.notifications.take.flatMap { taking -> [String] in
      guard !taking.how.isDisjoint(with: [.foreground, .silent]), case .step(let template) = taking.routing else { return [] }
      return [template.step]
    }
    return Set(definition.steps.filter { $0.value.isOperators }.keys).union(taken)
  }

  /// The steps that the definition's screens and flows emit.
  private var stepsOfScreens: Set<String> {
    Set(definition.screens.values.flatMap { $0.emits ?? [] }).union(definition.flows.values.flatMap(\.emits))
  }
}

import CairnCore

/// The rules about pages that the user should see: that a step of a seen page opens no page for ever, and that nothing covers what a link opens.
struct SightRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] { pagesThatCreateThemselves() + pagesThatReturn() + pagesUnderModals() }

  /// Handlers that create a page again each time that it is seen: the new page is seen too, so every action that shows it is refused as a loop.
  private func pagesThatCreateThemselves() -> [Lint.Finding] {
    operationsOfFlow.flatMap(\.self).compactMap { site in
      guard site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let screen = site.parts.makes.lazy.map(\.contribution).first(where: {
          $0.screen != nil && definition.steps(of: $0).seen?.step == site.step
        })?.screen
      else { return nil }
      return Lint.Finding(
        position: places.value(of: site),
        message: "`\(site.step)` creates the screen `\(screen)` each time that screen is seen, which never ends; add a condition")
    }
  }

  /// Handlers that open a page each time that another page is seen: as soon as the user closes it, the other page is seen again.
  private func pagesThatReturn() -> [Lint.Finding] {
    let seen = Set(makings.compactMap { definition.steps(of: $0.contribution).seen?.step })
    return operationsOfFlow.flatMap(\.self).compactMap { site -> Lint.Finding? in
      guard seen.contains(site.step), site.branch == 0, definition.flows[site.flow]?.handle[site.step]?.branches.first?.when == nil,
        let made = site.parts.makes.first(where: { $0.way.covers }),
        // That a page creates itself is reported already.
        made.contribution.screen == nil || definition.steps(of: made.contribution).seen?.step != site.step
      else { return nil }
      return Lint.Finding(
        position: places.value(of: site),
        message:
          "`\(site.step)` opens `\(Self.named(made))` whenever a page is seen, also when it has just been closed; add a condition, such as "
          + "one on `$seen.first`")
    }
  }

  private static func named(_ arrival: Arrival) -> String { arrival.contribution.target.name }

  /// Handlers of links and notifications that present a modal and then open a page below it, which the user does not see.
  private func pagesUnderModals() -> [Lint.Finding] {
    let taken = definition.notifications.take.compactMap { if case .step(let template) = $0.routing { template.step } else { nil } }
    let arriving = Set(definition.links.flatMap { $0.steps.map(\.step) } + taken)
    let branches = Dictionary(grouping: operationsOfFlow.flatMap(\.self).filter { arriving.contains($0.step) }) {
      "\($0.flow) \($0.step) \($0.branch)"
    }
    return branches.sortedByKey.compactMap { _, sites in
      let sites = sites.sorted { $0.index < $1.index }
      guard let cover = sites.firstIndex(where: { $0.parts.makes.contains { $0.way.isCover } }),
        let page = sites[(cover + 1)...].first(where: { $0.parts.page != nil }), let opened = page.parts.page,
        let modal = sites[cover].parts.makes.first(where: { $0.way.isCover }).map(Self.named)
      else { return nil }
      return Lint.Finding(
        position: places.value(of: page),
        message:
          "`\(page.step)` opens `\(opened)` under `\(modal)`, which it has just presented, so the link's page is not seen; present `\(modal)` last"
      )
    }
  }
}

extension Arrival.Way {
  /// Whether the node is presented so that it takes what lies under it from sight. Alerts do not.
  fileprivate var isCover: Bool {
    switch self {
    case .presented(let style, _), .raised(let style, _): style != .alert
    default: false
    }
  }

  /// Whether the node takes another page from sight, which is seen again when the node is gone.
  fileprivate var covers: Bool { isCover || self == .pushed }
}

extension OperationParts {
  /// The page that the operation creates in a container or brings to the front; `nil` if it does neither.
  fileprivate var page: String? {
    if let made = makes.last(where: { !$0.way.isModal && !$0.way.isOverlay }) { return made.contribution.target.name }
    return goals.lazy.compactMap { goal in
      switch goal {
      case .front(let place), .back(let place), .raised(let place), .tab(let place): place.name
      case .removed, .closed: nil
      }
    }.first
  }
}

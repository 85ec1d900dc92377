import CairnCore

/// The rule about loads with POST that end when their page is removed. A load ends with its node, so the result of its POST is lost if a
/// gesture removes the node.
struct PostRules: LintTopic {
  let lint: Lint

  /// Reports loads with POST of the screen that sends the step, if a gesture can remove this screen without a guard's question. A load with
  /// `of` or `while` is not reported, because it is meant to end with its node.
  var findings: [Lint.Finding] {
    let posts = operations.filter { site in
      guard case .load(let load, .screen, nil) = site.operation else { return false }
      return load.request?.method == .post && !load.whileVisible && !places.has("of", at: site)
    }
    guard !posts.isEmpty else { return [] }
    let removable = removableScreens
    return posts.compactMap { site in
      guard let screen = senders(of: site).first(where: removable.contains) else { return nil }
      return Lint.Finding(
        position: places.value(of: site),
        message:
          "the POST that `\(site.flow)` sends at `\(site.step)` is cancelled when a gesture removes its screen, such as `\(screen)`; use `submit`, "
          + "or write `of: screen` if its result may be lost")
    }
  }

  /// The screens that send the step of a handler: those that emit the step itself, or emit another step whose handler sends it.
  private func senders(of site: OperationSite) -> [String] {
    guard let flow = graph.number(site.flow) else { return [] }
    let below = graph.below([flow])
    let flows = graph.names.indices.filter { below[$0] }
    let sites = flows.flatMap { operationsOfFlow[$0] }
    var steps: Set = [site.step]
    var added = steps
    while !added.isEmpty {
      added = Set(sites.filter { $0.parts.sends.contains { steps.contains($0.template.step) } }.map(\.step)).subtracting(steps)
      steps.formUnion(added)
    }
    // If a nested flow has its own handler for the step, that flow receives the step from its screens, so the step does not reach this
    // handler.
    let reaching = flows.filter { $0 == flow || definition.flows[graph.names[$0]]?.handle[site.step] == nil }
    return reaching.flatMap { graph.screens[$0] }.filter { screen in
      definition.screens[screen]?.emits.map { !steps.isDisjoint(with: $0) } ?? false
    }.sorted()
  }

  /// The screens that a gesture can remove without a question, by themselves or with a flow around them.
  private var removableScreens: Set<String> {
    let loose = operations.flatMap(looseNodes)
    var flows = Set(loose.compactMap(\.contribution.flow))
    var inner: [Making] = []
    var added = flows
    while !added.isEmpty {
      // A modal is not removed by a gesture on the node that presents it, because the modal covers this node.
      let made = makings.filter { making in
        making.maker.map(added.contains) ?? false && making.contribution.leave == nil && !making.arrival.way.isModal
          && !making.arrival.way.isOverlay
      }
      inner += made
      added = Set(made.compactMap(\.contribution.flow)).subtracting(flows)
      flows.formUnion(added)
    }
    return Set((loose + inner).compactMap(\.contribution.screen))
  }

  /// The unguarded nodes that an operation puts above another node of a stack, or presents as a sheet.
  private func looseNodes(_ site: OperationSite) -> [Making] {
    // If the handled step starts a flow that has no nodes yet, the pushed node is the first one of the flow.
    let isFirst =
      definition.flows[site.flow]?.arrivals.isEmpty ?? false
      && makings.contains { $0.contribution.flow == site.flow && $0.contribution.start.contains { $0.step == site.step } }
    return site.parts.makes.enumerated().compactMap { index, arrival in
      let isLoose =
        switch arrival.way {
        case .pushed, .onChild: !isFirst
        case .stacked: index > 0
        case .presented(let style, _), .raised(let style, _): style == .sheet
        case .replacing, .overlay, .tab, .master, .detail, .child: false
        }
      return isLoose && arrival.contribution.leave == nil ? Making(maker: site.flow, arrival: arrival) : nil
    }
  }
}

import CairnCore

/// Renames all screens, flows, steps and facts of a definition.
struct MigrationRenaming {
  /// The new name of a screen, flow, step or fact.
  let name: (String) -> String

  /// The suffix of new names. No other name of a definition contains the suffix.
  static let suffix = "_v"

  /// Appends the suffix `count` times. The facts of the app and the token have fixed names.
  init(_ count: Int) {
    let end = String(repeating: Self.suffix, count: count)
    name = { $0 == FactDefinition.accessToken || FactDefinition.ofApp[$0] != nil ? $0 : $0 + end }
  }

  /// The migration to a definition whose names have `count` suffixes more.
  static func migration(from old: Definition, _ count: Int) -> Migration {
    let name = MigrationRenaming(count).name
    func fates<Part, Fate>(_ parts: [String: Part], _ fate: (String) -> Fate) -> [String: Fate] {
      Dictionary(uniqueKeysWithValues: parts.keys.map { ($0, fate(name($0))) })
    }
    return Migration(
      screens: fates(old.screens) { .keep(as: $0, params: [:]) },
      flows: Dictionary(
        uniqueKeysWithValues: old.flows.map { flow, described in
          let facts = described.facts.keys.map { (name($0), Expression.reference(.flowFact($0))) }
          return (flow, .keep(as: name(flow), params: [:], facts: Dictionary(uniqueKeysWithValues: facts)))
        }),
      steps: fates(old.steps) { .keep(as: $0, params: [:]) },
      facts: fates(old.facts.filter { FactDefinition.ofApp[$0.key] == nil }) { .keep(as: $0) })
  }

  func definition(_ old: Definition) -> Definition {
    var new = old
    new.root = node(old.root)
    new.facts = keys(old.facts) { $0 }
    new.screens = keys(old.screens) { screen in
      var screen = screen
      screen.emits = screen.emits.map { Set($0.map(name)) }
      return screen
    }
    new.steps = keys(old.steps) { $0 }
    new.rules = old.rules.map { Rule(when: condition($0.when), step: step($0.step)) }
    new.flows = keys(old.flows, flow)
    new.links = old.links.map { link in
      var link = link
      link.steps = link.steps.map(step)
      link.requires = link.requires.map(condition)
      link.otherwise = link.otherwise.map(step)
      return link
    }
    new.unauthorized = old.unauthorized.map(step)
    new.notifications.suppress = old.notifications.suppress.map { .init(category: $0.category, how: $0.how, when: condition($0.when)) }
    new.notifications.take = old.notifications.take.map { rule in
      var rule = rule
      rule.when = rule.when.map(condition)
      switch rule.routing {
      case .step(let template): rule.routing = .step(step(template))
      case .link(let url): rule.routing = .link(value(url))
      }
      return rule
    }
    return new
  }

  private func keys<Part>(_ parts: [String: Part], _ change: (Part) -> Part) -> [String: Part] {
    Dictionary(uniqueKeysWithValues: parts.map { (name($0), change($1)) })
  }

  private func flow(_ old: FlowDefinition) -> FlowDefinition {
    var new = old
    new.facts = keys(old.facts) { $0 }
    new.initialChildren =
      switch old.initialChildren {
      case .empty: .empty
      case .root(let root): .root(node(root))
      case .tabs(let tabs): .tabs(tabs.map(node))
      case .split(let master, let detail): .split(master: master.map(node), detail: node(detail))
      }
    new.children = old.children.map(name)
    new.handle = keys(old.handle) { handler in
      Handler(branches: handler.branches.map { .init(when: $0.when.map(condition), operations: $0.operations.map(operation)) })
    }
    new.adapt = keys(old.adapt) { $0.map { Adaptation(when: condition($0.when), to: step($0.to)) } }
    if case .send(let template) = old.tabs.reselect { new.tabs.reselect = .send(step(template)) }
    new.tabs.gates = old.tabs.gates.map { TabGate(name($0.tab), requires: condition($0.requires), otherwise: $0.otherwise.map(step)) }
    new.collapse = old.collapse.map(condition)
    new.emits = Set(old.emits.map(name))
    new.idle = old.idle.map(timer)
    return new
  }

  private func target(_ old: Contribution.Target) -> Contribution.Target {
    switch old {
    case .screen(let screen): .screen(name(screen))
    case .flow(let flow): .flow(name(flow))
    }
  }

  private func node(_ old: Contribution) -> Contribution {
    var new = old
    new.target = target(old.target)
    new.with = old.with.mapValues(value)
    new.facts = keys(old.facts, value)
    new.start = old.start.map(step)
    new.load = old.load.map(load)
    new.after = old.after.map(timer)
    new.steps.removed = old.steps.removed.map(step)
    new.steps.seen = old.steps.seen.map(step)
    new.steps.unseen = old.steps.unseen.map(step)
    new.leave?.ask = old.leave?.ask.map(step)
    new.leave?.when = old.leave?.when.map(condition)
    new.content = old.content.map(value)
    new.then = old.then.map(step)
    new.otherwise = old.otherwise.map(step)
    return new
  }

  private func step(_ old: StepTemplate) -> StepTemplate {
    var to = old.to
    if case .flow(let flow)? = old.to { to = .flow(name(flow)) }
    return StepTemplate(name(old.step), with: old.with.mapValues(value), to: to)
  }

  private func timer(_ old: CairnCore.Timer) -> CairnCore.Timer {
    var new = old
    new.step = step(old.step)
    new.value = old.value.map(value)
    return new
  }

  private func load(_ old: Load) -> Load {
    var new = old
    new.then = old.then.map(step)
    new.otherwise = old.otherwise.map(step)
    switch old.source {
    case .value(let known): new.source = .value(value(known))
    case .request(let sent): new.source = .request(request(sent))
    }
    return new
  }

  private func request(_ old: LoadRequest) -> LoadRequest {
    var new = old
    new.url = value(old.url)
    new.body = old.body.map(value)
    new.headers = old.headers.mapValues(value)
    let until = old.polling?.until
    new.polling?.until = until.map(condition)
    return new
  }

  private func submission(_ old: Submission) -> Submission {
    Submission(request(old.request), key: value(old.key), then: old.then.map(step), otherwise: old.otherwise.map(step))
  }

  private func operation(_ old: CairnCore.Operation) -> CairnCore.Operation {
    switch old {
    case .push(let made): .push(node(made))
    case .replace(let made): .replace(node(made))
    case .set(let made, let keep): .set(made.map(node), keep: keep)
    case .popTo(let found): .popTo(place(found))
    case .reveal(let found): .reveal(place(found))
    case .bring(let found): .bring(place(found))
    case .present(let made, let style, let anchor, let replace, let level):
      .present(node(made), style: style, on: anchor, replace: replace, level: level)
    case .overlay(let made, let slot): .overlay(node(made), slot)
    case .dismiss(let modal): .dismiss(modal.map(place))
    case .tabs(let made): .tabs(made.map(node))
    case .split(let master, let detail): .split(master: master.map(node), detail: detail.map(node))
    case .detail(let made): .detail(node(made))
    case .select(.index(let index)): .select(.index(value(index)))
    case .select(.flow(let found)): .select(.flow(place(found)))
    case .show(let flow, let screen): .show(flow: name(flow), screen: screen.map(node))
    case .end(let template): .end(step(template))
    case .give(let values): .give(values.mapValues(value))
    case .forward(let template): .forward(step(template))
    case .write(let values): .write(keys(values, value))
    case .clear(let facts): .clear(facts.map(name))
    case .content(let edits, let holder): .content(edits.map(edit), of: holder.map(place))
    case .load(let made, let anchor, let holder): .load(load(made), on: anchor, of: holder.map(place))
    case .submit(let message): .submit(submission(message))
    case .after(let made, let anchor): .after(timer(made), on: anchor)
    case .remove(let found, let all): .remove(place(found), all: all)
    case .pop, .popToRoot, .cancel, .logout, .cancelLinks, .proceed, .forget, .none: old
    }
  }

  private func place(_ old: Place) -> Place { Place(old.kind, name(old.name), with: old.with.mapValues(value)) }

  private func edit(_ old: ContentEdit) -> ContentEdit {
    let change: ContentEdit.Write =
      switch old.change {
      case .set(let new): .set(value(new))
      case .add(let more): .add(value(more))
      case .remove: .remove
      }
    return ContentEdit(path: old.path.map(value), change: change)
  }

  private func condition(_ old: Guard) -> Guard {
    switch old {
    case .fact(let fact, let what): .fact(name(fact), test(what))
    case .flowFact(let fact, let what): .flowFact(name(fact), test(what))
    case .param(let param, let what): .param(param, test(what))
    case .content(let path, let what, let holder): .content(path, test(what), of: holder.map(place))
    case .status(let status, let holder): .status(status, of: holder.map(place))
    case .result(let path, let what): .result(path, test(what))
    case .visible(let screens, let with): .visible(screens.map(name), with: with.mapValues(value))
    case .screen(let screens, let with): .screen(screens.map(name), with: with.mapValues(value))
    case .flow(let flow, let with): .flow(name(flow), with: with.mapValues(value))
    case .passed(let moment, let before): .passed(value(moment), before: before)
    case .between(let start, let end, let zone): .between(start, end, zone: value(zone))
    case .all(let parts): .all(parts.map(condition))
    case .any(let parts): .any(parts.map(condition))
    case .not(let inner): .not(condition(inner))
    }
  }

  private func test(_ old: Guard.Test) -> Guard.Test {
    switch old {
    case .equals(let other): .equals(value(other))
    case .over(let other): .over(value(other))
    case .under(let other): .under(value(other))
    case .isTrue, .present, .absent, .among: old
    }
  }

  private func value(_ old: Expression) -> Expression {
    switch old {
    case .literal: old
    case .reference(let source): .reference(reference(source))
    case .template(let parts):
      .template(
        parts.map { part in
          if case .reference(let source) = part { .reference(reference(source)) } else { part }
        })
    case .array(let elements): .array(elements.map(value))
    case .object(let members): .object(members.mapValues(value))
    case .calculation(let kind, let elements): .calculation(kind, elements.map(value))
    }
  }

  private func reference(_ old: Reference) -> Reference {
    switch old {
    case .content(let path, let holder): .content(path, of: holder.map(place))
    case .fact(let fact): .fact(name(fact))
    case .flowFact(let fact): .flowFact(name(fact))
    case .flow, .param, .screen, .result, .error, .authorizeURL, .isFirstSight: old
    }
  }
}

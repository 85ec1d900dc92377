import CairnCore

/// The keyword of an operation. Defines the further members of the operation, and how the operation is read.
enum OperationWord: String, CaseIterable, Sendable {
  case push, replace, set, present, detail, pop, popTo, reveal, tabs, split, select, show, end, give, forward, write, clear, content, load,
    after,
    cancel, remove
  case nothing = "none"
  case dismiss, popToRoot, logout, forget

  init(_ operation: Operation) {
    self =
      switch operation {
      case .push: .push
      case .replace: .replace
      case .set: .set
      case .pop: .pop
      case .popTo: .popTo
      case .popToRoot: .popToRoot
      case .reveal: .reveal
      case .present: .present
      case .dismiss: .dismiss
      case .tabs: .tabs
      case .split: .split
      case .detail: .detail
      case .select: .select
      case .show: .show
      case .end: .end
      case .give: .give
      case .forward: .forward
      case .write: .write
      case .clear: .clear
      case .content: .content
      case .load: .load
      case .after: .after
      case .cancel, .cancelLinks: .cancel
      case .logout: .logout
      case .remove: .remove
      case .forget: .forget
      case .none: .nothing
      }
  }

  /// The operations that can be written as a keyword without a value.
  static let alone: [OperationWord] = [.dismiss, .nothing, .popToRoot, .pop, .logout, .forget]

  static let names = allCases.map(\.rawValue)
}

extension OperationWord {
  /// The members of the operation's map: first the keyword, then the optional members.
  var table: MemberTable {
    switch self {
    case .push: own(.shared(.node), "Puts a node on the nearest stack.", MemberTable.beside.members)
    case .replace: own(.shared(.node), "Changes the top of the stack.", MemberTable.beside.members)
    case .set:
      own(
        .list(of: .shared(.node), atLeast: 1), "Changes the whole stack.",
        MemberTable.beside.members + [.init("keep", .flag, "Equal nodes at the bottom are kept.")])
    case .present:
      own(
        .shared(.node), "Hangs a node on the flow.",
        MemberTable.beside.members + [
          .init("style", .words(PresentationStyle.self), "sheet if nothing is said."),
          .init("on", .words(Operation.Anchor.self), "On the flow's node, or on the screen that speaks."),
          .init("replace", .flag, "In the place of what is presented already."),
          .init("level", .whole(atLeast: 1), "On a level over the whole app, up to 255; the higher one lies in front."),
          .init("queue", .flag, "Where the place on the level is taken it waits for it."),
        ])
    case .detail: own(.shared(.node), "Changes the detail of a split.", MemberTable.beside.members)
    case .pop: own(.whole(atLeast: 1), "Takes so many nodes off the stack.")
    case .popTo: own(.text, "Goes back to the screen nearest to the top.")
    case .reveal: own(.oneOf([.text, .object(.flowInFront)]), "Brings a screen or flow to the front: dismisses, selects, pops.")
    case .tabs: own(.list(of: .shared(.node), atLeast: 1), "Replaces the tabs.")
    case .split: own(.shared(.split), "Replaces the columns of a split.")
    case .select:
      own(.oneOf([.whole(atLeast: 0), .pattern(#"^\$"#), .object(.selection)]), "Selects a tab: its number, $param or flow.")
    case .show: own(.object(.show), "Shows a child of a switch.")
    case .end: own(.shared(.step), "Ends the flow and sends a step, to its parent if nothing else is said.")
    case .give: own(.shared(.arguments), "Ends the flow with its result, and takes its node away.")
    case .forward: own(.shared(.step), "Sends a step, to the parent flow if nothing else is said.")
    case .write: own(.map(of: .any, atLeast: 1), "Writes facts.")
    case .clear: own(.oneOrMore(.text, atLeast: 1), "Sets facts back.")
    case .content:
      own(
        .map(of: .any, atLeast: 1), "Writes into content, by path; { add: NUMBER } adds.",
        [.init("of", .text, "Of the nearest node of this screen or flow.")])
    case .load:
      own(
        .shared(.load), "Starts a load.", [OperationWord.whose, .init("of", .text, "Of the nearest node of this screen or flow.")])
    case .after: own(.shared(.timer), "Starts a timer.", [OperationWord.whose])
    case .cancel: own(.text, "Takes back the timers of this name; all: every timer and load; links: the links that are held.")
    case .remove: own(.text, "Takes out the screen nearest to the top.")
    case .nothing: own(.null, "Does nothing.")
    case .dismiss: own(.oneOf([.null, .text]), "Closes a modal; with a name the nearest of that screen or flow.")
    case .popToRoot: own(.null, "Takes all but the first node off the stack.")
    case .logout: own(.null, "Takes the access token away, and the held links.")
    case .forget: own(.null, "Forgets the session's history up to and including this action.")
    }
  }

  private func own(_ shape: Shape, _ about: String, _ beside: [MemberTable.Member] = []) -> MemberTable {
    MemberTable([.init(rawValue, shape, about, isRequired: true)] + beside)
  }

  private static let whose = MemberTable.Member("on", .words(Operation.Anchor.self), "Whose it is: the screen's, or the flow's.")
}

extension DefinitionReader {
  /// Reads an operation. `value` is the keyword's value; `fields` contains all members of the operation's map. Returns `nil` after reporting an error.
  mutating func operation(_ word: OperationWord, _ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    switch word {
    case .push: contribution(value, word.rawValue, in: scope, beside: fields).map(Operation.push)
    case .replace: contribution(value, word.rawValue, in: scope, beside: fields).map(Operation.replace)
    case .detail:
      needs(.split, word, fields) ? contribution(value, word.rawValue, in: scope, beside: fields).map(Operation.detail) : nil
    case .set: .set(stack(value, fields, in: scope), keep: flag(fields["keep"], "keep"))
    case .present: present(value, fields, in: scope)
    case .tabs: needs(.tabs, word, fields) ? .tabs(contributions(value, word.rawValue, in: scope)) : nil
    case .split: needs(.split, word, fields) ? split(value, in: scope).map { .split(master: $0.master, detail: $0.detail) } : nil
    case .show: needs(.oneOf, word, fields) ? show(value, in: scope) : nil
    case .select: select(value, in: scope)
    case .pop: pop(value)
    case .popTo: name(value, of: .screen).map { .popTo(screen: $0) }
    case .reveal: reveal(value)
    case .remove: name(value, of: .screen).map { .remove(screen: $0) }
    case .end: end(value, in: scope)
    case .give: give(value, in: scope)
    case .forward: step(value, in: scope).map(Operation.forward)
    case .write: write(value, in: scope)
    case .clear: clear(value)
    case .content: content(value, fields, in: scope)
    case .load: loadOperation(value, fields, in: scope)
    case .after: timer(value, in: scope).map { .after($0, on: anchor(fields, .screen)) }
    case .cancel: cancel(value)
    case .nothing: withoutValue(Operation.none, word, value)
    case .dismiss: dismiss(value)
    case .popToRoot: withoutValue(.popToRoot, word, value)
    case .logout: withoutValue(.logout, word, value)
    case .forget: withoutValue(.forget, word, value)
    }
  }
}

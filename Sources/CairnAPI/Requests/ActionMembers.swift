import CairnCore

/// The members that actions may have, as they are read and as they are described.
enum ActionMembers {
  static let type = Member.string("type", "Which action it is.")

  static let step = Member.string("step", "The step's name.", isRequired: true)
  static let params = Member.object("params", "Params by name.")
  static let from = Member.node("from", "The screen that says it; the visible one if it is left out.")

  static let count = Member.integer("count", atLeast: 1, "How many screens; 1 if it is left out.")
  static let node = Member.node("node", "A node by its id.")
  static let removed = Member.node("node", "The node by its id.", isRequired: true)
  static let screen = Member.string("screen", "A screen by its name.")
  static let shown = Member.string("screen", "The screen's name.", isRequired: true)
  static let tab = Member.integer("tab", atLeast: 0, "The tab's place, from 0.")
  static let flow = Member.string("flow", "The flow's name.")
  static let style = Member<PresentationStyle>.choice("style", "How it is presented; a sheet if it is left out.")
  static let replace = Member.flag("replace", "It takes the place of what is presented there.")
  static let stack = Member.array(
    "stack", of: .closed([shown.property, params.property]), "The screens of the stack, bottom first.", isRequired: true)

  static let code = Member.string("code", "The code of the redirect.", isRequired: true)
  static let state = Member.string("state", "The state of the redirect.")
  static let accessToken = Member.line("accessToken", "The token; it is encrypted, and shown nowhere.", isRequired: true)
  static let link = Member<LinkID>(
    "link", "a held link's id, such as \"l3\"", .shared(.linkID), "The held link, as pending has it.", isRequired: true
  ) { $0.string.flatMap { LinkID($0) } }
  static let activity = Member<Action.Activity>.choice("state", "Where the app is now.", isRequired: true)
  static let by = Member<Int>(
    "by", "a duration: a number with ms, s, m, h or d", .shared(.duration),
    "How long.", isRequired: true
  ) { $0.string.flatMap(DurationText.milliseconds) }
  static let facts = Member.object("set", "Values by the facts' names.", isRequired: true)

  static let effect = Member.integer("effect", atLeast: 1, "Which request; the oldest if it is left out.")
  static let loaded = Member<Value>("loaded", "a value", .shared(.value), "The loaded value.") { $0.value }
  static let failed = Member.string("failed", "Why the load failed.")
  static let exchanged = Member.line("exchanged", "The token that the exchange brought.")
  static let exchangeFailed = Member.string("exchangeFailed", "Why the exchange failed.")

  /// The members of a step, in the order in which they are read.
  static let ofStep: [any DescribedMember] = [step, params, from]
}

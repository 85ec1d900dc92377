extension Question: Coded {
  package static var blank: Question {
    Question(
      id: QuestionID(1), node: NodeID(1), agreed: [], aim: .exit, action: "", sender: nil, firstNode: 1, firstEffect: 1)
  }

  package static func members<C: Coder & ~Copyable>(_ it: inout Question, _ coder: inout C) throws(C.Failure) {
    var id = it.id.number
    try coder.number("id", &id, in: 1...State.highestNumber)
    it.id = QuestionID(id)
    try coder.node("node", &it.node)
    try coder.flag("isGate", &it.isGate)
    var agreed = it.agreed.map { $0.number }
    try coder.list("agreed", &agreed)
    if C.reads { it.agreed = agreed.map { NodeID($0) } }
    try coder.member("action", &it.action)
    var client = it.sender?.client
    var number = it.sender?.number ?? 0
    try coder.member("client", &client)
    try coder.member("number", &number, unless: 0)
    if C.reads { it.sender = client.map { Sender(client: $0, number: number) } }
    try coder.number("firstNode", &it.firstNode, in: 1...State.highestNumber)
    try coder.number("firstEffect", &it.firstEffect, in: 1...State.highestNumber)
    var dialog = it.dialog?.number ?? 0
    try coder.member("dialog", &dialog, unless: 0)
    if C.reads { it.dialog = dialog > 0 ? NodeID(dialog) : nil }
    try coder.member("aim", &it.aim)
  }
}

extension Question.Aim: Coded {
  package static var blank: Question.Aim { .exit }

  private static let words: [StaticString] = ["keep", "remove", "select", "open", "send", "handle", "exit"]
  private static let cases: [Question.Aim] = [
    .keep(top: NodeID(1), above: NodeID(1)), .remove(NodeID(1)), .select(tab: NodeID(1), in: NodeID(1)), .open(LinkID(1), url: ""),
    .send(LinkID(1), .blank), .handle(.blank, by: NodeID(1), from: nil), .exit,
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Question.Aim, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .keep(var top, var above):
      try coder.node("keep", &top)
      try coder.node("above", &above)
      it = .keep(top: top, above: above)
    case .remove(var node):
      try coder.node("remove", &node)
      it = .remove(node)
    case .select(var tab, var tabs):
      try coder.node("select", &tab)
      try coder.node("in", &tabs)
      it = .select(tab: tab, in: tabs)
    case .open(let link, var url):
      var number = link.number
      try coder.number("open", &number, in: 1...State.highestNumber)
      try coder.member("url", &url)
      it = .open(LinkID(number), url: url)
    case .send(let link, var step):
      var number = link.number
      try coder.number("send", &number, in: 1...State.highestNumber)
      try coder.member("step", &step)
      it = .send(LinkID(number), step)
    case .handle(var step, var flow, let emitter):
      try coder.member("handle", &step)
      try coder.node("by", &flow)
      var from = emitter?.number ?? 0
      try coder.member("from", &from, unless: 0)
      it = .handle(step, by: flow, from: from > 0 ? NodeID(from) : nil)
    case .exit: try coder.mark("exit")
    }
  }
}

extension Cover: Coded {
  package static var blank: Cover { Cover(NodeID(0)) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Cover, _ coder: inout C) throws(C.Failure) {
    var (node, tab) = (it.node.number, it.tab?.number ?? 0)
    try coder.member("node", &node)
    try coder.member("tab", &tab, unless: 0)
    if C.reads { it = Cover(NodeID(node), over: tab > 0 ? NodeID(tab) : nil) }
  }
}

extension CoverRow: Coded {
  package static var blank: CoverRow { CoverRow(revision: 0, cover: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout CoverRow, _ coder: inout C) throws(C.Failure) {
    try coder.member("revision", &it.revision)
    try coder.member("cover", &it.cover)
  }
}

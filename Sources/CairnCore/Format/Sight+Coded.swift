extension Sighting: Coded {
  package static var blank: Sighting { Sighting(node: NodeID(1), isSeen: false, wasTold: false) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Sighting, _ coder: inout C) throws(C.Failure) {
    try coder.node("node", &it.node)
    try coder.flag("seen", &it.isSeen)
    try coder.flag("told", &it.wasTold)
  }
}

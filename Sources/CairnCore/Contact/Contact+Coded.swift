#if !CLIENT_ENGINE
  extension ClientContact: Coded {
    package static var blank: ClientContact { .unknown }

    package static func members<C: Coder & ~Copyable>(_ it: inout ClientContact, _ coder: inout C) throws(C.Failure) {
      try coder.member("until", &it.until)
    }
  }

  extension HeldAction: Coded {
    package static var blank: HeldAction { HeldAction(action: .logout, since: 0, until: 0, clients: []) }

    package static func members<C: Coder & ~Copyable>(_ it: inout HeldAction, _ coder: inout C) throws(C.Failure) {
      var id = it.id.number
      try coder.number("id", &id, in: 1...State.highestNumber)
      it.id = HeldID(id)
      var action = it.action.storedValue
      try coder.member("action", &action)
      if C.reads {
        if let read = Action(storedValue: action) { it.action = read } else { try coder.reject("not an action") }
      }
      try coder.member("since", &it.since)
      try coder.member("until", &it.until)
      try coder.list("clients", &it.clients)
    }
  }

  extension Action {
    /// The action as a value with the names of the disk format.
    fileprivate var storedValue: Value {
      let row = ActionRow[kind]
      let values = values
      var members: [String: Value] = ["type": .string("\(row.stored)")]
      for (place, field) in row.fields.enumerated() {
        if let stored = field.stored, let value = values[place] { members["\(stored)"] = value }
      }
      return .object(members)
    }

    fileprivate init?(storedValue value: Value) {
      guard case .object(let members) = value, case .string(let word)? = members["type"],
        let kind = Kind.allCases.first(where: { "\(ActionRow[$0].stored)".isExactly(word) })
      else { return nil }
      var values = ActionValues()
      for (place, field) in ActionRow[kind].fields.enumerated() {
        if let stored = field.stored { values[place] = members["\(stored)"] }
      }
      self.init(kind, values)
    }
  }
#endif

#if !CLIENT_ENGINE
  extension TextPattern {
    /// The shortest matching text of at least this length, or one of them; `nil` if no matching text has at most 200 scalars. `choose`
    /// returns a scalar of a range, given the first and the last scalar of the range.
    func sample(atLeast least: Int, _ choose: (_ first: UInt32, _ last: UInt32) -> UInt32) -> String? {
      var texts = closure([0: ""], at: 0)
      for place in 1...201 {
        if place > least, let text = texts[states.count - 1] { return text }
        var next: [Int: String] = [:]
        for (state, text) in texts.sorted(by: { $0.key < $1.key }) where next[state + 1] == nil {
          guard let scalar = scalar(of: state, choose) else { continue }
          next[state + 1] = text + String(scalar)
        }
        texts = closure(next, at: place)
      }
      return nil
    }

    /// A text for each state in `texts`, and for each state that can be reached from one of them without reading a scalar.
    private func closure(_ texts: [Int: String], at place: Int) -> [Int: String] {
      var seen = [Int](repeating: -1, count: states.count)
      var all: [Int: String] = [:]
      for (state, text) in texts.sorted(by: { $0.key < $1.key }) {
        var list: [Int] = []
        follow(state, &list, &seen, place)
        for state in list { all[state] = text }
      }
      return all
    }

    /// A scalar that a state reads; `nil` if it reads none, or if a negated class contains none of the usual characters (U+0020 to U+017F).
    private func scalar(of state: Int, _ choose: (UInt32, UInt32) -> UInt32) -> Unicode.Scalar? {
      guard case .one(let range, let isNegated) = states[state] else { return nil }
      if !isNegated { return Unicode.Scalar(choose(ranges[range.lowerBound], ranges[range.lowerBound + 1])) }
      let usual = (UInt32(0x20)...0x17F).filter { reads($0, in: state) }
      return (usual.first { $0 >= 0x61 } ?? usual.first).flatMap(Unicode.Scalar.init)
    }
  }
#endif

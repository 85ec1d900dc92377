/// The links that are held until their guard is true.
struct LinkBook: Hashable, Sendable {
  /// The held links in the order of their arrival.
  private(set) var held: [PendingLink]
  /// The number of the next held link, held action or waiting notification. Numbers are never reused.
  private(set) var next: WideInt

  init(held: [PendingLink] = [], next: WideInt = 1) {
    self.held = held
    self.next = next
  }

  /// Whether this number has ever been assigned. Held links, held actions and notifications that wait share the numbers.
  func wasIssued(_ id: LinkID) -> Bool { (1..<next).contains(id.number) }

  /// Holds a URL until `time`, in milliseconds since 1970. Returns the id of the held link.
  mutating func hold(_ url: String, until time: WideInt) -> LinkID {
    let id = issue()
    held.append(PendingLink(id: id, url: url, until: time))
    return id
  }

  /// Assigns the next number and returns it as a link's id.
  mutating func issue() -> LinkID {
    next += 1
    return LinkID(next - 1)
  }

  /// Removes and returns a held link; `nil` if the link is not held.
  mutating func release(_ id: LinkID) -> PendingLink? {
    held.firstIndex { $0.id == id }.map { held.remove(at: $0) }
  }
}

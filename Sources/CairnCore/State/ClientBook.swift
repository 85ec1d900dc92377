#if !CLIENT_ENGINE
  /// The clients that number their actions, each with its highest number. The client with the newest action is last.
  struct ClientBook: Hashable, Sendable {
    /// The highest number of each client.
    private(set) var newest: [Sender]
    /// The contact with each client, in the order of `newest`.
    private(set) var contacts: [ClientContact]
    /// Maximum number of clients. Beyond it, the client with the oldest action is dropped.
    static let limit = 8

    /// A client for which `contacts` has no element gets an unknown contact.
    init(newest: [Sender] = [], contacts: [ClientContact] = []) {
      self.newest = newest
      self.contacts = (0..<newest.count).map { $0 < contacts.count ? contacts[$0] : .unknown }
    }

    /// Records that an action of a client was performed. `until` is the end of the contact in milliseconds since 1970.
    mutating func note(_ sender: Sender, until: WideInt) {
      var contact = ClientContact(until: until)
      if let place = newest.firstIndex(where: { $0.client == sender.client }) {
        newest.remove(at: place)
        contact.until = max(until, contacts.remove(at: place).until)
      }
      newest.append(sender)
      contacts.append(contact)
      if newest.count > Self.limit {
        newest.removeFirst()
        contacts.removeFirst()
      }
    }
  }
#endif

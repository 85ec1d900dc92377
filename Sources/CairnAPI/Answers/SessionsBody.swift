package import CairnCore

/// A page of the list of sessions, oldest first.
package struct SessionsBody: Encodable, Sendable {
  package var sessions: [Item]
  /// The path of the next page; nil on the last.
  package var next: String?

  package init(sessions: [Item], next: String?) {
    self.sessions = sessions
    self.next = next
  }

  /// A session in short.
  package struct Item: Encodable, Sendable {
    package var id: String
    package var app: String
    package var definition: String
    package var label: String?
    package var createdAt: String
    package var updatedAt: String
    package var revision: Int
    package var visible: RouteEntry?

    package init(_ body: SessionBody) {
      id = body.id
      app = body.app
      definition = body.definition
      label = body.label
      createdAt = body.createdAt
      updatedAt = body.updatedAt
      revision = body.revision
      visible = body.view.visible
    }
  }
}

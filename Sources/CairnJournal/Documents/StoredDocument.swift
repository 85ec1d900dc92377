package import CairnCore

/// A document as stored in the journal, identified by its kind, app and name.
package struct StoredDocument: Hashable, Sendable {
  /// The kind; `nil` if the stored word is not a kind, because the row is damaged.
  package let kind: DocumentKind?
  /// The app of the document; empty if the document belongs to no app.
  package let app: String
  /// The name among the documents of this kind and app.
  package let name: String
  /// The version. A change names the version that it replaces.
  package let version: Int
  /// The content as JSON.
  package let body: String
  /// Whether the row's check value matches its content. If not, the row is damaged.
  package var isIntact: Bool

  /// Creates a document from a row. `kind` is the stored word, and `stored` the value of the column `check`.
  package init(kind: String, app: String, name: String, version: Int, body: String, stored: Int, _ check: RowCheck) {
    self.kind = DocumentKind(rawValue: kind)
    self.app = app
    self.name = name
    self.version = version
    self.body = body
    isIntact = self.kind != nil && check.value(kind, app, name, version, body) == stored
  }

  /// Creates the document that a change stores.
  package init(_ change: DocumentChange, body: String) {
    kind = change.kind
    app = change.app
    name = change.name
    version = change.version
    self.body = body
    isIntact = true
  }

  /// Decodes the body. Throws if it does not contain a value of the type.
  package func value<Value: Coded>(_ type: Value.Type = Value.self) throws(UnreadableFormat) -> Value {
    try Value(stored: Array(body.utf8))
  }

  /// Whether a change can find the row by its name. A name with a replacement character or a NUL was decoded from damaged bytes.
  package var isNamed: Bool { !name.contains { "\u{FFFD}\0".contains($0) } }

  /// The fault of a damaged document as one line; `nil` if the document is intact.
  package var fault: String? {
    guard !isIntact else { return nil }
    let name = [kind?.rawValue ?? "of an unknown kind", app, self.name].filter { !$0.isEmpty }.joined(separator: " ")
    return "the document \(name) does not match its stored hash"
  }
}

/// Selects the documents that a read returns, sorted by kind, app and name.
package struct DocumentQuery: Hashable, Sendable {
  /// The kind; `nil` for all kinds. A query without a name and without `isOfNewest` also returns the documents whose kind is damaged.
  package var kind: DocumentKind?
  /// The app; `nil` for all apps.
  package var app: String?
  package var name: String?
  /// Whether only one document per app is needed: the one whose name is the last in order. The result may nevertheless contain other
  /// documents.
  package var isOfNewest = false

  package init(_ kind: DocumentKind? = nil, app: String? = nil, name: String? = nil, isOfNewest: Bool = false) {
    self.kind = kind
    self.app = app
    self.name = name
    self.isOfNewest = isOfNewest
  }
}

/// The change of a document from the version `known` to a new version, or its deletion.
package struct DocumentChange: Hashable, Sendable {
  package let kind: DocumentKind
  package let app: String
  package let name: String
  /// The version that is replaced; 0 if no such document exists.
  package let known: Int
  package let version: Int
  /// The new content as JSON; `nil` to delete the document.
  package let body: String?

  /// Creates a change. `version` is the new version; by default, it is the version that follows `known`.
  package init(_ kind: DocumentKind, app: String, name: String, known: Int, version: Int? = nil, body: String?) {
    self.kind = kind
    self.app = app
    self.name = name
    self.known = known
    self.version = version ?? Self.version(after: known)
    self.body = body
  }

  /// Creates a change that stores the value as JSON.
  init(_ kind: DocumentKind, app: String, name: String, known: Int, version: Int? = nil, value: some Coded) {
    self.init(kind, app: app, name: name, known: known, version: version, body: String(decoding: value.stored, as: UTF8.self))
  }

  /// Creates the deletion of a stored document.
  package init(deleting document: StoredDocument, _ kind: DocumentKind) {
    self.init(kind, app: document.app, name: document.name, known: document.version, body: nil)
  }

  /// The version that follows `known`; 1 if `known` is negative or too large, as it can be in a damaged row.
  package static func version(after known: Int) -> Int { (0..<(1 << 53) - 1).contains(known) ? known + 1 : 1 }

  /// The value of the row's column `check`.
  package func value(_ check: RowCheck) -> Int { check.value(kind.rawValue, app, name, version, body ?? "") }
}

extension RowCheck {
  /// The value of the column `check` of a document's row.
  fileprivate func value(_ kind: String, _ app: String, _ name: String, _ version: Int, _ body: String) -> Int {
    value("documents", .text(kind), .text(app), .text(name), .integer(version), .text(body))
  }
}

/// The branches of a handler, of which the first whose guard holds runs. A handler that is written without branches has a single one without a guard.
public struct Handler: Hashable, Sendable {
  public var branches: [Branch]

  public struct Branch: Hashable, Sendable {
    public var when: Guard?
    public var operations: [Operation]

    public init(when: Guard? = nil, operations: [Operation]) {
      self.when = when
      self.operations = operations
    }
  }

  public init(branches: [Branch]) { self.branches = branches }
}

/// The branches of a handler. The first one whose guard is true runs. A handler written without branches has one branch without a guard.
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

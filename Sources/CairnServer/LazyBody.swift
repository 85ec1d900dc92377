/// A body that is made when it is encoded: on the connection's thread, not on the one that had the answer.
struct LazyBody<Body: Encodable>: Encodable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func encode(to encoder: any Encoder) throws { try make().encode(to: encoder) }
}

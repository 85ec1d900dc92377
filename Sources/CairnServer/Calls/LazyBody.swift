import CairnCore

/// A body that is created only when it is encoded, on the connection's thread. The thread that responds does not spend time on it.
struct LazyBody<Body: JSONWritable>: JSONWritable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func write(to writer: inout JSONWriter) { make().write(to: &writer) }
}

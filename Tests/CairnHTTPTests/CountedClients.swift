import Testing

@testable import CairnHTTP

@Suite struct `Addresses for the connection limit` {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::"), ("2001:db8::ffff:0:0:1", "2001:db8::"),
    ("2001:db8:0:1::1", "2001:db8:0:1::"),
    ("::1", "::"), ("x:y", "x:y"),
  ])
  func `an IPv4 address is one client, and so is a 64-bit network of IPv6`(host: String, client: String) {
    #expect(SocketAddress.client(of: host) == client)
  }
}

import Testing

@testable import CairnServer

@Suite struct `Client addresses` {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
    ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:ffff::1", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ("::1", "0.0.0.1", false),
  ])
  func `an IPv4 address is one client, and so is a 64-bit network of IPv6`(one: String, other: String, isSame: Bool) throws {
    #expect((try #require(IPAddress(one)).client == #require(IPAddress(other)).client) == isSame)
  }

  @Test(arguments: ["", "x", "1.2.3", "1.2.3.4.5", "[::1]", "1.2.3.4:80", "1.2.3.4\u{0}", "unknown", "_hidden", "::1%lo", " 1.2.3.4"])
  func `a text that is no literal address is rejected`(text: String) { #expect(IPAddress(text) == nil) }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.0.0.1", true),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false),
    ("::/0", "2001:db8::1", true), ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
    ("2001:db8::/96", "2001:db8::1:2", true), ("2001:db8::/96", "2001:db8::1:0:2", false), ("::1/128", "::1", true),
    ("10.0.0.0/8", "::ffff:10.0.0.1", true),
  ])
  func `a range contains the addresses that share its prefix`(range: String, address: String, isInside: Bool) throws {
    #expect(try #require(AddressRange(range)).contains(#require(IPAddress(address))) == isInside)
  }

  @Test(arguments: ["", "/8", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "local", "10.0.0/8"])
  func `a malformed range is rejected`(text: String) { #expect(AddressRange(text) == nil) }

  @Test(
    arguments: [
      (["for=192.0.2.1"], ["192.0.2.1"]), (["For=\"[2001:db8::1]:4711\""], ["2001:db8::1"]),
      (["for=192.0.2.1;proto=http;by=203.0.113.43", "for=198.51.100.17"], ["192.0.2.1", "198.51.100.17"]),
      (["for=192.0.2.1 , for = x, by=1.2.3.4"], ["192.0.2.1", nil, nil]),
      (["for=\"192.0.2.1:80\";host=\"a,b;for=6.6.6.6\""], ["192.0.2.1"]),
      (["for=unknown, for=_hidden"], ["unknown", "_hidden"]), (["for=\"192.0.2.1"], [nil]), (["for=1.1.1.1;for=2.2.2.2"], [nil]),
      ([""], [nil]), (["for=\"[::1\""], [nil]), (["for=\"a\\\"b,c\""], ["a\"b,c"]),
      // Text from the client cannot hide the element that its proxy added.
      (["for=6.6.6.6;by=\", for=192.0.2.1"], [nil]), (["for=6.6.6.6;by=x\u{600}, for=192.0.2.1"], ["6.6.6.6", "192.0.2.1"]),
    ] as [([String], [String?])])
  func `Forwarded is parsed according to RFC 7239`(fields: [String], nodes: [String?]) {
    #expect(ForwardedFor.nodes(forwarded: fields) == nodes)
  }

  @Test(
    arguments: [
      (["192.0.2.1"], ["192.0.2.1"]), (["192.0.2.1, 2001:db8::1", "10.0.0.1"], ["192.0.2.1", "2001:db8::1", "10.0.0.1"]),
      (["192.0.2.1:80, [::1]:80"], ["192.0.2.1", "::1"]), ([", 192.0.2.1"], [nil, "192.0.2.1"]),
      // Text from the client cannot hide the address that its proxy added, neither by a combining character nor by an unclosed quote.
      (["6.6.6.6, 6.6.6.6\u{600}, 192.0.2.1"], ["6.6.6.6", "6.6.6.6\u{600}", "192.0.2.1"]), (["\", 192.0.2.1"], ["\"", "192.0.2.1"]),
    ] as [([String], [String?])])
  func `X-Forwarded-For is parsed as a list of addresses`(fields: [String], nodes: [String?]) {
    #expect(ForwardedFor.nodes(list: fields) == nodes)
  }
}

import CairnCore
import CairnTesting
import Foundation
import FoundationNetworking
import Testing

@testable import cairn

@Suite(.tags(.timing), .ownThreads) struct `Limit of descriptors` {
  @Test func `connections leave a reserve of descriptors, and a limit that is too low is reported`() {
    let enough = DescriptorBudget(connections: 4_096, limit: 65_536)
    #expect(enough.connections == 4_096 && enough.warning == nil)
    let low = DescriptorBudget(connections: 4_096, limit: 1_024)
    #expect(low.connections == 1_024 - DescriptorBudget.reserve)
    #expect(
      low.warning?.contains("4096 connections need 4352 file descriptors, but the limit is 1024, so at most 768 can be open at once")
        ?? false)
    #expect(DescriptorBudget(connections: 4_096, limit: 120).connections == 60)
    #expect(DescriptorBudget(connections: 10, limit: 0).connections == 1)
  }

  @Test func `serve --check reports that the connections exceed the limit`() async throws {
    let service = try await Service()
    let checked = try await service.run(
      ["serve", "--check", "--port", "0", "--database", "new.sqlite", "--apps", "apps"], environment: [Service.descriptors: "300"])
    #expect(checked.code == 0, "\(checked.error)")
    #expect(checked.output.contains("warning: 4096 connections need 4352 file descriptors, but the limit is 300"), "\(checked.output)")
  }

  @Test func `the admin port responds while clients hold the maximum number of connections`() async throws {
    let service = try await Service(
      environment: [Service.descriptors: "128"], arguments: ["--admin", "127.0.0.1:0", "--connections-per-address", "0"])
    let said = try await service.text(of: service.log, with: "message=started")
    #expect(said.contains("message=descriptors") && said.contains("the limit is 128, so at most 64 can be open at once"), "\(said)")
    let port = try #require(Int(said.split(separator: "admin=", maxSplits: 1).last?.prefix { $0.isNumber } ?? ""))
    let clients = try (0..<150).map { _ in try OpenConnection(port: service.port) }
    let (data, _) = try await URLSession.shared.data(from: #require(URL(string: "http://127.0.0.1:\(port)/metrics")))
    let metrics = String(decoding: data, as: UTF8.self)
    #expect(metrics.contains("\nprocess_max_fds 128\n"))
    #expect(metrics.contains("\nprocess_open_fds "))
    withExtendedLifetime(clients) {}
  }
}

/// A connection that sends nothing. It is closed with this object.
private final class OpenConnection {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard code == 0 else { throw Service.Failure("no connection: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }
}

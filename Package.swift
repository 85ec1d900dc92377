// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The targets are grouped by floor: a target depends only on targets of lower floors. scripts/check-floors checks this.

// Only the service needs other packages, so its trait is a condition of each of them. An app that uses the client switches the trait off, and resolves none.
let service = TargetDependencyCondition.when(traits: ["Service"])
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift", condition: service)
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift", condition: service)
let log: Target.Dependency = .product(name: "Logging", package: "swift-log", condition: service)
let yams: Target.Dependency = .product(name: "Yams", package: "Yams", condition: service)
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections", condition: service)
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser", condition: service)

// The service uses jemalloc if it is installed, which saves about a fifth of the time of a POST (docs/decisions/0015). The allocator of glibc is
// slow when one thread frees the blocks of another, and caches no block above a kilobyte per thread. Everything works without jemalloc too.
let hasAllocator = ["x86_64", "aarch64"].contains { FileManager.default.fileExists(atPath: "/usr/lib/\($0)-linux-gnu/libjemalloc.so") }
let allocator: [LinkerSetting] = hasAllocator ? [.linkedLibrary("jemalloc")] : []

// Outgoing requests use libcurl if its header is installed (Debian: libcurl4-openssl-dev), otherwise URLSession.
#if os(Linux)
  let headerFolders = ["/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu", "/usr/include"]
#else
  let headerFolders: [String] = []
#endif
let hasCurl =
  Context.environment["CAIRN_URLSESSION"] == nil && headerFolders.contains { FileManager.default.fileExists(atPath: "\($0)/curl/curl.h") }
let curl: [Target.Dependency] = hasCurl ? ["CCurl", "CairnRuntime"] : []

// The journal on PostgreSQL is built only if the header of libpq is installed (Debian: libpq-dev).
let hasPostgres = headerFolders.contains { FileManager.default.fileExists(atPath: "\($0)/postgresql/libpq-fe.h") }
let postgres: [Target.Dependency] = hasPostgres ? ["CairnPostgres"] : []

// The commit that `cairn --version` prints with the version. `make install` and `make image` set it.
let commit = Context.environment["CAIRN_COMMIT"].map { $0.filter { $0.isHexDigit || "-dirty".contains($0) } } ?? ""

let package = Package(
  name: "cairn",
  // For apps on Apple's systems that use the client or the core: `Mutex` and `Atomic` need these versions. The service runs on Linux.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "cairn", targets: ["cairn"]),
    .library(name: "CairnCore", targets: ["CairnCore"]),
    .library(name: "CairnClient", targets: ["CairnClient"]),
  ],
  traits: [
    .trait(name: "Service", description: "The service, and the packages that only it needs. Apps that use the client need neither."),
    .default(enabledTraits: ["Service"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // ground
    .target(name: "CairnCore"),
    .target(name: "CairnRuntime"),
    .target(
      name: "CairnMigrations", path: "migrations",
      resources: [
        .embedInCode("0001_journal.sql"), .embedInCode("0002_app_migrations.sql"), .embedInCode("postgres/0001_tables.sql"),
        .embedInCode("postgres/0002_app_migrations_tables.sql"), .embedInCode("0003_forgetting.sql"),
        .embedInCode("postgres/0003_forgetting_tables.sql"), .embedInCode("0004_forms.sql"), .embedInCode("postgres/0004_forms_tables.sql"),
        .embedInCode("0005_places.sql"), .embedInCode("postgres/0005_places_tables.sql"), .embedInCode("0006_language.sql"),
        .embedInCode("postgres/0006_language_tables.sql"), .embedInCode("postgres/erasures.sql"),
      ]),
    // Swift code cannot read the value of a compiler definition, so C functions return the commit and other facts of the build.
    .target(name: "CBuild", cSettings: commit.isEmpty ? [] : [.define("CAIRN_COMMIT", to: "\"\(commit)\"")]),
    .target(name: "CairnConsole", resources: [.embedInCode("page")]),
    .target(name: "CairnTemplates", resources: [.embedInCode("templates")]),
    // Debian: libmicrohttpd-dev.
    .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
    // Debian: libcurl4-openssl-dev.
    .systemLibrary(name: "CCurl"),
    // Debian: libssl-dev, of which only libcrypto is used. libcurl loads libcrypto into the process in any case.
    .systemLibrary(name: "CCrypto"),
    .target(name: "CairnCrypto", dependencies: ["CCrypto"]),
    // first
    .target(name: "CairnHTTP", dependencies: ["CMicroHTTPD", "CairnRuntime"]),
    .target(name: "CairnJournal", dependencies: ["CairnCore", "CairnRuntime"]),
    .target(name: "CairnAPI", dependencies: ["CairnCore"]),
    .target(name: "CairnDefinition", dependencies: ["CairnCore", "CairnRuntime", yams, "CairnCrypto"]),
    .target(name: "CairnDerived", dependencies: ["CairnCore"]),
    .target(name: "CairnTransfer", dependencies: curl),
    // second
    .target(name: "CairnStore", dependencies: ["CairnJournal", "CairnCore", "CairnRuntime", "CairnCrypto", deque]),
    .target(
      name: "CairnSQLite",
      dependencies: ["CairnJournal", "CairnCore", "CairnRuntime", "CairnMigrations", "CairnCrypto", grdb, sqlite]),
    .target(name: "CairnScenario", dependencies: ["CairnAPI", "CairnDefinition", "CairnCore", "CairnRuntime"]),
    .target(name: "CairnExplore", dependencies: ["CairnAPI", "CairnDefinition", "CairnCore", "CairnRuntime"]),
    // CairnCrypto needs libcrypto, so the client uses it only on Linux. On other systems the client does not seal secret params.
    .target(
      name: "CairnClient",
      dependencies: ["CairnTransfer", "CairnAPI", "CairnCore", .byName(name: "CairnCrypto", condition: .when(platforms: [.linux]))]),
    // third
    .target(name: "CairnOutbound", dependencies: ["CairnTransfer", "CairnStore", "CairnCore", "CairnCrypto"]),
    .target(
      name: "CairnServer",
      dependencies: [
        "CairnHTTP", "CairnStore", "CairnJournal", "CairnAPI", "CairnDefinition", "CairnDerived", "CairnCore", "CairnRuntime",
        "CairnConsole", "CairnCrypto", deque, log,
      ]),
    // roof
    .executableTarget(
      name: "cairn",
      dependencies: postgres + [
        "CBuild", "CairnClient", "CairnServer", "CairnScenario", "CairnExplore", "CairnDerived", "CairnSQLite", "CairnHTTP",
        "CairnStore", "CairnJournal", "CairnAPI", "CairnDefinition", "CairnOutbound", "CairnTransfer", "CairnTemplates", "CairnCore",
        "CairnRuntime", "CairnCrypto", arguments, log, yams,
      ], linkerSettings: allocator),
    // tests
    .target(name: "CSpawn", path: "Tests/CSpawn"),
    .target(
      name: "CairnTesting", dependencies: ["CSpawn", "CairnStore", "CairnJournal", "CairnDefinition", "CairnCore", "CairnRuntime"],
      path: "Tests/CairnTesting"),
    .target(
      name: "CairnFuzz",
      dependencies: [
        "CairnServer", "CairnHTTP", "CairnScenario", "CairnDerived", "CairnStore", "CairnJournal", "CairnAPI", "CairnDefinition",
        "CairnCore", "CairnTesting",
      ],
      path: "Fuzz/Inputs"),
    .testTarget(name: "CairnFuzzTests", dependencies: ["CairnFuzz", "CairnTesting"]),
    .testTarget(
      name: "CairnCoreTests", dependencies: ["CairnCore", "CairnDefinition", "CairnScenario", "CairnRuntime", "CairnTesting"],
      exclude: ["Drives", "Journals"]),
    .testTarget(name: "CairnCryptoTests", dependencies: ["CairnCrypto"]),
    .testTarget(name: "CairnRuntimeTests", dependencies: ["CairnRuntime", "CairnTesting"]),
    .testTarget(name: "CairnHTTPTests", dependencies: ["CairnHTTP", "CairnRuntime", "CairnTesting"]),
    .testTarget(
      name: "CairnDefinitionTests", dependencies: ["CairnDefinition", "CairnCore", "CairnTesting"], exclude: ["Compiled", "Former"]),
    .testTarget(
      name: "CairnScenarioTests", dependencies: ["CairnScenario", "CairnAPI", "CairnDefinition", "CairnCore", "CairnTesting"]),
    .testTarget(name: "CairnExploreTests", dependencies: ["CairnExplore", "CairnScenario", "CairnDefinition", "CairnCore"]),
    .testTarget(
      name: "CairnDerivedTests", dependencies: ["CairnDerived", "CairnDefinition", "CairnCore", "CairnTesting"], exclude: ["Golden"]),
    .testTarget(name: "CairnJournalTests", dependencies: ["CairnJournal", "CairnCore", "CairnTesting"]),
    .testTarget(
      name: "CairnStoreTests",
      dependencies: ["CairnStore", "CairnJournal", "CairnCore", "CairnDefinition", "CairnRuntime", "CairnCrypto", "CairnTesting"],
      exclude: ["Fixtures/answers.txt"]),
    .testTarget(
      name: "CairnSQLiteTests",
      dependencies: [
        "CairnSQLite", "CairnStore", "CairnJournal", "CairnCore", "CairnDefinition", "CairnMigrations", "CairnRuntime", "CairnCrypto",
        "CairnTesting", grdb,
      ],
      resources: [.copy("Fixtures")]),
    .target(name: "CResolverTrap", path: "Tests/CResolverTrap"),
    .testTarget(name: "CairnTransferTests", dependencies: ["CairnTransfer", "CairnRuntime", "CairnTesting", "CResolverTrap"]),
    .testTarget(name: "CairnOutboundTests", dependencies: ["CairnOutbound", "CairnStore", "CairnCore", "CairnTesting"]),
    .testTarget(
      name: "CairnAPITests", dependencies: ["CairnAPI", "CairnDefinition", "CairnCore", "CairnTesting"], exclude: ["Answers.json"]),
    .testTarget(
      name: "CairnServerTests",
      dependencies: [
        "CairnServer", "CairnHTTP", "CairnStore", "CairnJournal", "CairnSQLite", "CairnDefinition", "CairnAPI", "CairnCore",
        "CairnRuntime", "CairnConsole", "CairnTesting", log, "CairnCrypto",
      ] + (hasPostgres ? ["CairnPostgresTesting"] : [])),
    .testTarget(
      name: "CairnClientTests",
      dependencies: [
        "CairnClient", "CairnServer", "CairnHTTP", "CairnStore", "CairnJournal", "CairnDefinition", "CairnTransfer", "CairnDerived",
        "CairnAPI", "CairnCore", "CairnRuntime", "CairnTesting", log,
      ]),
    .testTarget(
      name: "cairnTests",
      dependencies: [
        "cairn", "CairnClient", "CairnCore", "CairnHTTP", "CairnServer", "CairnStore", "CairnRuntime", "CairnCrypto", "CairnTesting",
        arguments, log,
      ] + (hasPostgres ? ["CairnPostgresTesting"] : [])),
  ]
)

if hasPostgres {
  package.targets += [
    .systemLibrary(name: "CPostgres"),
    .target(
      name: "CairnPostgres", dependencies: ["CPostgres", "CairnJournal", "CairnCore", "CairnRuntime", "CairnMigrations", "CairnCrypto"]),
    .testTarget(
      name: "CairnPostgresTests",
      dependencies: [
        "CairnPostgres", "CairnPostgresTesting", "CairnSQLite", "CairnStore", "CairnJournal", "CairnCore", "CairnRuntime", "CairnTesting",
      ]),
    .target(
      name: "CairnPostgresTesting", dependencies: ["CairnPostgres", "CairnRuntime", "CairnTesting", "CSpawn"],
      path: "Tests/CairnPostgresTesting"),
  ]
}

// The benchmark of the engine, and that of the journal on PostgreSQL. The normal build does not include them.
if Context.environment["CAIRN_BENCHMARKS"] != nil {
  package.targets.append(
    .executableTarget(name: "engine", dependencies: ["CairnAPI", "CairnCore", "CairnDefinition"], path: "Benchmarks/Engine"))
  if hasPostgres {
    package.targets.append(
      .executableTarget(
        name: "journal", dependencies: ["CairnPostgres", "CairnJournal", "CairnCore", "CairnDefinition"], path: "Benchmarks/Journal"))
  }
}

// The fuzz driver, which is linked with libFuzzer. Only Fuzz/run builds it, in a separate build with coverage instrumentation.
if Context.environment["CAIRN_FUZZ"] != nil {
  package.targets.append(.executableTarget(name: "fuzz", dependencies: ["CairnFuzz"], path: "Fuzz/Driver"))
}

// Only for the project's own checks: warnings are errors (not in other builds, because a newer toolchain may report more of them), and the tested
// code is optimised, which halves the time of the tests. Overflows and bounds are still checked.
let isStrict = Context.environment["CAIRN_STRICT"] != nil

for target in package.targets where !["CMicroHTTPD", "CCurl", "CCrypto", "CPostgres", "CResolverTrap"].contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  guard isStrict else { continue }
  target.swiftSettings?.append(.treatAllWarnings(as: .error))
  if target.type != .test { target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug))) }
}

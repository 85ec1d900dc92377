/// The positions of link and category in a notification's payload, and the rules for notifications.
public struct NotificationDefinition: Hashable, Sendable {
  /// JSON Pointers (RFC 6901) into the payload. The first one that points to a text other than spaces is used.
  public var linkPointers: [String]
  public var categoryPointers: [String]
  public var suppress: [Suppression]
  /// The positions of a message's id: JSON Pointers into the payload, which begin with `/`, or names of header fields. The first position
  /// that exists is used. If the list is empty, repeated messages are not recognized.
  public var idPlaces: [String]
  /// The values that are read from the payload, by name.
  public var values: [String: Reading]
  /// The rules for the effects of notifications. The first rule that accepts a notification is used. If no rule accepts it, a tap opens the link.
  public var take: [Taking]

  public struct Suppression: Hashable, Sendable {
    /// The category; `nil` for every category.
    public var category: String?
    /// The ways in which the notification reaches the app; `nil` for all.
    public var how: Set<How>?
    public var when: Guard

    public init(category: String? = nil, how: Set<How>? = nil, when: Guard) {
      self.how = how
      self.category = category
      self.when = when
    }
  }

  /// The default JSON Pointers to a link: common keys at the top level, then below `data` (React Native), then those of vendors. The
  /// pointers for web pages are last: if the same message has a link for the app, that link has priority.
  public static let defaultLinkPointers =
    [
      "/url", "/link", "/deeplink", "/data/url", "/data/link", "/data/deeplink",
    ] + vendorLinkPointers + ["/notification/navigate", "/webpush/fcm_options/link"]
  /// Further default JSON Pointers to a link: additional common keys, then the keys of Braze, CleverTap, Iterable, OneSignal (on the device
  /// and as posted), Airship (iOS, Android), Customer.io, Klaviyo, Paytronix and Expo.
  static let vendorLinkPointers = [
    "/deep_link", "/uri", "/data/deep_link", "/data/uri", "/ab_uri", "/wzrk_dl", "/itbl/defaultAction/data", "/custom/u", "/app_url", "/^d",
    "/com.urbanairship.actions/^d", "/CIO/push/link", "/ios_deep_link", "/android_deep_link", "/deepLink/value", "/body/url",
  ]

  /// Whether the definition has its own pointers to the link. In that case, a value at such a pointer must be a text.
  package var namesLink: Bool { linkPointers != Self.defaultLinkPointers }
  /// Whether the definition has its own pointers to the category.
  package var namesCategory: Bool { categoryPointers != Self.defaultCategoryPointers }

  /// The default JSON Pointers to a category: Apple's payload, then the top level, then the data of an FCM message.
  public static let defaultCategoryPointers = ["/aps/category", "/category", "/data/category"]

  public init(
    linkPointers: [String] = NotificationDefinition.defaultLinkPointers,
    categoryPointers: [String] = NotificationDefinition.defaultCategoryPointers, suppress: [Suppression] = [],
    idPlaces: [String] = [], values: [String: Reading] = [:], take: [Taking] = []
  ) {
    self.linkPointers = linkPointers
    self.categoryPointers = categoryPointers
    self.suppress = suppress
    self.idPlaces = idPlaces
    self.values = values
    self.take = take
  }
}

package dev.semel.server.admin;

import java.util.List;

/**
 * Something that can be asked for.
 *
 * @param help what it chooses, in one line
 */
record RouteParameter(String name, String help) {
  static final RouteParameter LIMIT =
      new RouteParameter("limit", "How many at most: 1 to 1000, usually 100.");
  static final RouteParameter CURSOR =
      new RouteParameter("cursor", "Go on where the last page ended.");
  static final RouteParameter PAYLOAD =
      new RouteParameter(
          "payload", "With this in place of what it has, as Base64; one dead letter.");
  static final RouteParameter DRY_RUN =
      new RouteParameter("dry_run", "true: only say how many this would touch.");
  static final RouteParameter EXPECT =
      new RouteParameter(
          "expect", "How many it touches, as dry_run said; another number is refused.");
  static final RouteParameter EXPECT_AT_LEAST =
      new RouteParameter(
          "expect",
          "How many it touches, as dry_run said; it never touches more, and fewer are refused.");

  static List<RouteParameter> list(RouteParameter... parameters) {
    return List.of(parameters);
  }
}

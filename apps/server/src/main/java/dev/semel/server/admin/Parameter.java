package dev.semel.server.admin;

import java.util.List;

/**
 * Something that can be asked for.
 *
 * @param help what it chooses, in one line
 */
record Parameter(String name, String help) {
  static final Parameter LIMIT =
      new Parameter("limit", "How many at most: 1 to 1000, usually 100.");
  static final Parameter CURSOR = new Parameter("cursor", "Go on where the last page ended.");
  static final Parameter PAYLOAD =
      new Parameter("payload", "With this in place of what it has, as Base64; one dead letter.");
  static final Parameter DRY_RUN =
      new Parameter("dry_run", "true: only say how many this would touch.");
  static final Parameter EXPECT =
      new Parameter("expect", "How many it touches, as dry_run said; another number is refused.");
  static final Parameter EXPECT_AT_LEAST =
      new Parameter(
          "expect",
          "How many it touches, as dry_run said; it never touches more, and fewer are refused.");

  static List<Parameter> list(Parameter... parameters) {
    return List.of(parameters);
  }
}

package dev.semel.tck;

import java.util.List;

/** Ids that have a special meaning in some engine, pattern, path or encoding. */
public final class AwkwardIds {
  public static final List<String> ALL =
      List.of(
          "{}",
          "{a}b{c}",
          "}{",
          "a:b:c",
          "a/b//c/",
          "100%",
          "a_b",
          "a*b?c",
          "[a-z]",
          "it's",
          "say \"x\"",
          "back\\slash\\",
          "; DROP TABLE keys; --",
          "$1 ${x} #{y}",
          " leading and trailing ",
          "a  b",
          "#full-hash",
          "größe",
          "日本語",
          "🎉🏳",
          "e\u0301 decomposed",
          "\u00e9 composed",
          "ﬁ",
          "NaN",
          "null",
          "0",
          "-1",
          "..",
          "\ufffd");

  private AwkwardIds() {}
}

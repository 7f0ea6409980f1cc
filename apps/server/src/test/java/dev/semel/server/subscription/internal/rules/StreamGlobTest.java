package dev.semel.server.subscription.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.stream.StreamPath;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class StreamGlobTest {
  private static boolean matches(String pattern, String path) {
    return StreamGlob.parse(pattern).matches(new StreamPath(path));
  }

  @Test
  void aStarIsOneSegment() {
    assertThat(matches("events/*", "events/a")).isTrue();
    assertThat(matches("events/*", "events")).isFalse();
    assertThat(matches("events/*", "events/a/b")).isFalse();
    assertThat(matches("*/a", "x/a")).isTrue();
    assertThat(matches("events/*", "other/a")).isFalse();
  }

  @Test
  void twoStarsAreAnyNumberOfSegmentsAlsoNone() {
    assertThat(matches("events/**", "events")).isTrue();
    assertThat(matches("events/**", "events/a/b/c")).isTrue();
    assertThat(matches("**", "a/b")).isTrue();
    assertThat(matches("**/log", "log")).isTrue();
    assertThat(matches("a/**/z", "a/z")).isTrue();
    assertThat(matches("a/**/z", "a/b/z/c/z")).isTrue();
    assertThat(matches("a/**/z", "a/b/z/c")).isFalse();
    assertThat(matches("**/a/*/b/**", "x/a/a/y/b")).isTrue();
  }

  @Test
  void starsWithinANameAreThatName() {
    assertThat(matches("a*", "ab")).isFalse();
    assertThat(matches("a*", "a*")).isTrue();
    assertThat(matches("%2A", "*")).isTrue();
    assertThat(matches("%2A", "x")).isFalse();
  }

  @Test
  void slashesAtEitherEndDontCount() {
    assertThat(StreamGlob.parse("/events/*/")).isEqualTo(StreamGlob.parse("events/*"));
  }

  @Test
  void whatCanMatchNothingIsRefused() {
    for (String pattern :
        List.of(
            "", "/", "a//b", "__ds/*", "__ds", "a\u0000", "x".repeat(StreamGlob.MAX_LENGTH + 1))) {
      assertThatThrownBy(() -> StreamGlob.parse(pattern)).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void prefixAndFirstSegmentHoldForAllThatMatches() {
    assertThat(StreamGlob.parse("a/b/*").prefix()).isEqualTo("a/b/");
    assertThat(StreamGlob.parse("a/b/**").prefix()).isEqualTo("a/b");
    assertThat(StreamGlob.parse("a/b").prefix()).isEqualTo("a/b");
    assertThat(StreamGlob.parse("*/b").prefix()).isEmpty();
    assertThat(StreamGlob.parse("**").prefix()).isEmpty();
    assertThat(StreamGlob.parse("a/*").first()).contains("a");
    assertThat(StreamGlob.parse("**/a").first()).isEmpty();
  }

  @Test
  void itAgreesWithARegularExpression() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      String pattern = random(random, new String[] {"a", "b", "*", "**"});
      String path = random(random, new String[] {"a", "b", "c"});
      StreamGlob glob = StreamGlob.parse(pattern);
      boolean expected = regex(pattern).matcher(path + "/").matches();
      assertThat(glob.matches(new StreamPath(path))).as(pattern + " " + path).isEqualTo(expected);
      if (expected) {
        assertThat(path).as(pattern).startsWith(glob.prefix());
        glob.first().ifPresent(first -> assertThat(path.split("/", 2)[0]).isEqualTo(first));
      }
    }
  }

  private static String random(SplittableRandom random, String[] segments) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      text.append(segments[random.nextInt(segments.length)]).append(i > 1 ? "/" : "");
    }
    return text.toString();
  }

  private static Pattern regex(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (String segment : pattern.split("/", -1)) {
      regex.append(
          switch (segment) {
            case "*" -> "[^/]+/";
            case "**" -> "(?:[^/]+/)*";
            default -> segment + "/";
          });
    }
    return Pattern.compile(regex.toString());
  }

  @Test
  @Timeout(600)
  void noPatternTakesLong() {
    StreamGlob evil = StreamGlob.parse("**/a/".repeat(100) + "z");
    StreamPath path = new StreamPath("a/".repeat(500) + "b");
    for (int i = 0; i < 100; i++) {
      assertThat(evil.matches(path)).isFalse();
    }
  }
}

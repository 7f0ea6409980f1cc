package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page says that programs say, some program says. */
class TroubleshootingTest {
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final int TOO_SHORT = 4;

  @Test
  void everyMessageIsInTheCode() {
    StringBuilder code =
        new StringBuilder(Book.text(Book.ROOT.resolve("apps/cli/src/main/launcher/start.sh")));
    for (String module :
        List.of("core", "jdbc", "redis", "nats", "kafka", "rabbitmq", "servlet", "server", "cli")) {
      Book.sources("semel-" + module).forEach(code::append);
    }
    String said = JOINED.matcher(code).replaceAll("").replace("\\n", "\n");
    List<String> messages = messages();
    assertThat(messages).hasSizeGreaterThan(30);
    assertThat(messages).allMatch(message -> isSaid(message, said));
  }

  private static boolean isSaid(String message, String said) {
    for (String part : message.split("…", -1)) {
      String words = part.strip();
      if (words.length() >= TOO_SHORT && !said.contains(words)) {
        return false;
      }
    }
    return true;
  }

  /** Those in the first column of the tables whose heading says that they are. */
  private static List<String> messages() {
    List<String> messages = new ArrayList<>();
    boolean listed = false;
    for (String line : Book.page("docs/troubleshooting.md").prose()) {
      if (!line.startsWith("|")) {
        listed = false;
      } else if (line.startsWith("| message |")) {
        listed = true;
      } else if (listed) {
        Matcher span = SPAN.matcher(line.split(" \\| ", 2)[0]);
        while (span.find()) {
          messages.add(span.group(1));
        }
      }
    }
    return messages;
  }
}

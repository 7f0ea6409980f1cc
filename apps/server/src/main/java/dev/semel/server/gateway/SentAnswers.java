package dev.semel.server.gateway;

import dev.semel.server.http.MemoryBudget;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Recorded answers that are being sent. Equal ones are held once for all callers; a caller that
 * does not read holds only its position and one piece. For all event loops.
 */
final class SentAnswers {
  private final MemoryBudget budget;
  private final Map<Content, Sent> sent = new ConcurrentHashMap<>();

  SentAnswers(MemoryBudget budget) {
    this.budget = budget;
  }

  /** A body, compared by its bytes. */
  private static final class Content {
    private final byte[] bytes;
    private final int hash;

    Content(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Content c && hash == c.hash && Arrays.equals(bytes, c.bytes);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** One body and its number of users. */
  final class Sent {
    private final Content content;
    private int users;

    private Sent(Content content) {
      this.content = content;
    }

    byte[] bytes() {
      return content.bytes;
    }

    /** Call it once for each {@link SentAnswers#take}. */
    void letGo() {
      sent.computeIfPresent(
          content,
          (key, there) -> {
            if (--there.users > 0) {
              return there;
            }
            budget.letGo(there.content.bytes.length);
            return null;
          });
    }
  }

  /** Null: the budget has no room for another body. */
  @Nullable Sent take(byte[] body) {
    return sent.compute(
        new Content(body),
        (content, there) -> {
          Sent one = there;
          if (one == null) {
            if (!budget.take(body.length)) {
              return null;
            }
            one = new Sent(content);
          }
          one.users++;
          return one;
        });
  }
}

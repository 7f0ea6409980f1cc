package dev.semel.server.gateway;

import dev.semel.server.http.MemoryBudget;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Recorded answers that are being sent. Equal ones are held once, for however many callers: one
 * that does not read holds where it is, and one piece. For all loops.
 */
final class SentAnswers {
  private final MemoryBudget budget;
  private final Map<Content, Sent> sent = new ConcurrentHashMap<>();

  SentAnswers(MemoryBudget budget) {
    this.budget = budget;
  }

  /** A body, equal to any that holds the same. */
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

  /** One body and how many need it. */
  final class Sent {
    private final Content content;
    private int users;

    private Sent(Content content) {
      this.content = content;
    }

    byte[] bytes() {
      return content.bytes;
    }

    /** To be called once for each {@link SentAnswers#take}. */
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

  /** Null: there is no room for another one. */
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

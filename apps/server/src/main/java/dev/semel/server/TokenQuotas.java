package dev.semel.server;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.Streams;
import io.vertx.core.http.HttpConnection;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Usage of all tokens with a quota. A token's stored bytes are those of all streams to which it may
 * append, no matter which caller wrote them. The server counts them at its start and once a minute;
 * in between it adds what it appends under the token. Deletions, and writes by other servers, show
 * after a minute. Safe for all threads.
 */
final class TokenQuotas implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int PAGE = 1000;
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  private final List<TokenAccount> accounts;
  private @Nullable Loop loop;

  TokenQuotas(List<TokenAccount> accounts) {
    this.accounts = List.copyOf(accounts);
  }

  /** Null: this token has no quota. */
  @Nullable TokenAccount of(@Nullable String token) {
    if (token == null || accounts.isEmpty()) {
      return null;
    }
    byte[] tokenHash = AccessRules.hash(token);
    for (TokenAccount each : accounts) {
      if (MessageDigest.isEqual(each.tokenHash(), tokenHash)) {
        return each;
      }
    }
    return null;
  }

  /**
   * Counts the connection for this account; false: its quota is used up. A connection may carry
   * requests with several tokens but has only one handler for its end, so that handler informs all
   * accounts.
   */
  boolean admit(HttpConnection connection, TokenAccount account) {
    connection.closeHandler(v -> accounts.forEach(each -> each.closed(connection)));
    return account.admits(connection);
  }

  /** Counts stored bytes now and once a minute. */
  synchronized void start(Streams streams) {
    if (accounts.stream().noneMatch(each -> each.quota().bytes() > 0)) {
      return;
    }
    close();
    count(streams);
    loop =
        Loop.start(
            "semel-quotas",
            () -> {
              count(streams);
              return false;
            },
            PAUSE,
            e ->
                LOG.log(
                    System.Logger.Level.WARNING,
                    "what is stored under tokens could not be counted, trying again",
                    e));
  }

  private void count(Streams streams) {
    for (TokenAccount each : accounts) {
      if (each.quota().bytes() > 0) {
        each.beginCount();
        long sum = 0;
        for (String prefix : each.prefixes()) {
          sum += stored(streams, prefix);
        }
        each.counted(sum);
      }
    }
  }

  private static long stored(Streams streams, String prefix) {
    long sum = 0;
    List<StreamHead> page;
    String after = "";
    do {
      try {
        page = streams.list(prefix, after, PAGE).toCompletableFuture().join();
      } catch (CompletionException e) {
        throw e.getCause() instanceof RuntimeException cause ? cause : e;
      }
      for (StreamHead head : page) {
        after = head.path().text();
        if (AccessRules.covers(prefix, after)) {
          sum += head.tail().position() - head.start().position();
        }
      }
    } while (page.size() == PAGE);
    return sum;
  }

  /** For operators; shows tokens by their names. */
  JsonObjectBuilder json() {
    return Json.object().with("quotas", accounts.stream().map(TokenQuotas::json).toList());
  }

  private static JsonObject json(TokenAccount account) {
    JsonObjectBuilder members =
        Json.object()
            .with("token", account.name())
            .with("prefixes", account.prefixes().stream().map(JsonValue::of).toList());
    if (account.quota().connections() > 0) {
      members.with("connections", used(account.openConnections(), account.quota().connections()));
    }
    if (account.quota().bytes() > 0) {
      members.with("stored_bytes", used(account.storedBytes(), account.quota().bytes()));
    }
    return members.build();
  }

  private static JsonObject used(long used, long limit) {
    return Json.object().with("used", used).with("limit", limit).build();
  }

  @Override
  public synchronized void close() {
    Loop open = loop;
    loop = null;
    if (open != null) {
      open.close();
    }
  }
}

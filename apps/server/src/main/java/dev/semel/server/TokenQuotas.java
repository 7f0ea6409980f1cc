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
 * What the bearers of tokens use of what they may. Stored bytes are those of the streams that a
 * token may append to, whoever wrote them: counted when the server starts and once a minute, and
 * kept up to date in between by what this server appends under the token. What was deleted, or
 * written by others, shows after a minute. Safe for all threads.
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

  /** Null: the bearer of this token has none. */
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
   * Whether its connection is among those that the bearer may have open. One connection may carry
   * requests with several tokens, and tells only one of its end: so that is told to all accounts.
   */
  boolean admit(HttpConnection connection, TokenAccount account) {
    connection.closeHandler(v -> accounts.forEach(each -> each.closed(connection)));
    return account.admits(connection);
  }

  /** Counts what is stored, now and from time to time. */
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

  /** For operators; tokens by their names. */
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

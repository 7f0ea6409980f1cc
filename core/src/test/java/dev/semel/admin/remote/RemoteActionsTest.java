package dev.semel.admin.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.admin.InboxAdmin;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.KeyState;
import dev.semel.admin.OutboxAdmin;
import dev.semel.admin.QueueAdmin;
import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.advice.Advice;
import dev.semel.advice.AdviceCriteria;
import dev.semel.advice.AdviceTopic;
import dev.semel.idempotency.OperationSetting;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.outbox.spi.OutboxOperations;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The remote control center asks for every action, and says everything that an action takes. */
class RemoteActionsTest {
  /** What no program asks for through it, and why. */
  private static final Map<AdminAction, String> NOT_ASKED =
      Map.of(
          AdminAction.EVENTS, "read page by page instead",
          AdminAction.EXPORT, "read page by page instead",
          AdminAction.OPENAPI, "for people and their tools",
          AdminAction.WHOAMI, "for the page",
          AdminAction.STREAMS_LIST, "HttpStreams asks for it",
          AdminAction.PRODUCERS_LIST, "HttpStreams asks for it",
          AdminAction.PRODUCERS_FENCE, "HttpStreams asks for it");

  /** Another action is asked for it: KEYS_EVENTS, and those that purge the same messages. */
  private static final Set<String> NOT_SAID =
      Set.of("AUDIT_LIST key", "OUTBOX_REPLAY dry_run", "INBOX_RETRY dry_run");

  private static final Key KEY = Key.of("payments", "order 1/2");

  private static final KeyFilter SOME = new KeyFilter("a", "b", Set.of(KeyState.FAILED));

  private final Map<AdminAction, Set<String>> asked = new HashMap<>();
  private HttpServer server;
  private RemoteControlCenter center;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    center =
        new RemoteControlCenter(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "");
  }

  @AfterEach
  void stop() {
    center.close();
    server.stop(0);
  }

  /** A count, or that there is nothing; but it has all that a server may have. */
  private void answer(HttpExchange exchange) throws IOException {
    AdminAction action = action(exchange);
    Set<String> named = asked.computeIfAbsent(action, a -> new TreeSet<>());
    String query = exchange.getRequestURI().getRawQuery();
    for (String part : query == null ? new String[0] : query.split("&", -1)) {
      named.add(part.substring(0, part.indexOf('=')));
    }
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (body.length > 0) {
      named.addAll(((JsonObject) Json.parse(body)).members().keySet());
    }
    boolean counts = action.parameter("dry_run").isPresent();
    String answer =
        action == AdminAction.CONFIG_SHOW
            ? "{\"store\":\"s\",\"parts\":[\"jobs\",\"outbox\",\"inbox\"],\"server\":{}}"
            : counts ? "{\"count\":1}" : "{\"detail\":\"nothing\"}";
    byte[] bytes = answer.getBytes(UTF_8);
    exchange.sendResponseHeaders(
        counts || action == AdminAction.CONFIG_SHOW ? 200 : 404, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static AdminAction action(HttpExchange exchange) {
    String path = exchange.getRequestURI().getRawPath();
    return Stream.of(AdminAction.values())
        .filter(each -> each.method().equals(exchange.getRequestMethod()))
        .filter(
            each ->
                path.equals(AdminAction.ROOT + each.path())
                    || (!each.named().isEmpty()
                        && path.matches(
                            AdminAction.ROOT
                                + each.path().replaceAll("\\{\\w+}", "([^/]*%[^/]*|payments)"))))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no action is " + path));
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (StoreException | InvalidInput e) {
      // the answer is none that can be understood; the question counts
    }
  }

  private void everyCall() {
    Stream.<Runnable>of(
            () -> center.stats(),
            () -> center.resetStatistics(),
            () -> center.keys(SOME, "on", 5),
            () -> center.count(SOME),
            () -> center.delete(SOME, 1),
            () -> center.inspect(KEY),
            () -> center.payload(KEY),
            () -> center.lifeLine(KEY),
            () -> center.release(KEY, Token.parse("00000000-0000-7000-8000-000000000000")),
            () -> center.forceRelease(KEY),
            () -> center.delete(KEY),
            () -> center.queues(),
            () ->
                center.change(new Operation("payments"), Map.of(OperationSetting.RETENTION, "7d")),
            () -> center.events("on", 5),
            () -> center.end(),
            () -> center.latest("changed", 5),
            () -> center.about(KEY, 5),
            () -> center.verify(so -> {}),
            () -> center.erase(KEY),
            () -> center.health(),
            () -> center.ended(),
            () -> center.cleanup(1, so -> {}),
            () -> center.alerts(),
            () -> center.advice(AdviceCriteria.usual()),
            () ->
                center.apply(
                    new Advice(
                        Optional.of(new Operation("payments")),
                        AdviceTopic.RETENTION_TOO_LONG,
                        "",
                        "",
                        Map.of(OperationSetting.RETENTION, "7d"),
                        "",
                        0)),
            () -> center.backup("monday"),
            () -> center.quotas())
        .forEach(RemoteActionsTest::quietly);
  }

  private void everyCallOfQueues() {
    OutboxAdmin outbox = center.outbox().orElseThrow();
    InboxAdmin inbox = center.inbox().orElseThrow();
    QueueAdmin jobs = center.jobs().orElseThrow();
    Optional<Instant> time = Optional.of(Instant.EPOCH);
    OutboxOperations.Filter filter =
        new OutboxOperations.Filter("orders", Optional.of("m 1"), time, time);
    Optional<Operation> queue = Optional.of(new Operation("payments"));
    Stream.<Runnable>of(
            () -> outbox.status(),
            () -> outbox.list(OutboxOperations.State.DEAD, filter, "on", 5),
            () -> outbox.about(KEY, 5),
            () -> outbox.read("orders", "m 1"),
            () -> outbox.retry("orders", "m 1", new byte[0]),
            () -> outbox.retriable(filter),
            () -> outbox.retry(filter, 1),
            () -> outbox.replay(filter, true, 1),
            () -> outbox.count(OutboxOperations.State.DEAD, filter),
            () -> outbox.purge(OutboxOperations.State.DEAD, filter, 1),
            () -> inbox.status(),
            () -> inbox.diagnose(),
            () -> inbox.list("ledger", InboxOperations.State.DEAD, "on", 5),
            () -> inbox.find("ledger", "m 1"),
            () -> inbox.dead("ledger"),
            () -> inbox.retry("ledger", 1),
            () -> inbox.retry("ledger", "m 1", new byte[0]),
            () -> inbox.forget("ledger", "m 1"),
            () -> inbox.old("ledger", Duration.ofDays(90)),
            () -> inbox.purgeOld("ledger", Duration.ofDays(90), 1),
            () -> inbox.purgeDead("ledger", 1),
            () -> jobs.counts(),
            () -> jobs.find(KEY),
            () -> jobs.read(KEY),
            () -> jobs.list(queue, QueueAdmin.DEAD, "on", 5),
            () -> jobs.retry(KEY),
            () -> jobs.retry(KEY, new byte[0]),
            () -> jobs.retryAll(queue, so -> {}))
        .forEach(RemoteActionsTest::quietly);
  }

  @Test
  void everyActionIsAskedForWithAllThatItNeeds() {
    everyCall();
    everyCallOfQueues();
    Set<AdminAction> expected = EnumSet.allOf(AdminAction.class);
    expected.removeAll(NOT_ASKED.keySet());
    assertThat(asked.keySet()).containsExactlyInAnyOrderElementsOf(expected);
    for (AdminAction action : expected) {
      List<String> all =
          action.parameters().stream()
              .map(ActionParameter::name)
              .filter(name -> !NOT_SAID.contains(action + " " + name))
              .toList();
      assertThat(asked.get(action)).as("%s", action).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @Test
  void whatAnActionDoesNotTakeIsNotSent() {
    assertThatThrownBy(() -> AdminQuery.of(AdminAction.KEYS_LIST).with("destination", "orders"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What may be personal stands in a body where there is one, and so stays out of logs. */
  @Test
  void parametersStandInTheBodyWhereThereIsOne() {
    AdminQuery erase = AdminQuery.of(AdminAction.AUDIT_ERASE).with("key", KEY.text());
    assertThat(erase).hasToString("/api/v1/audit/erase");
    assertThat(erase.body().orElseThrow().members()).containsOnlyKeys("key");
    AdminQuery list = AdminQuery.of(AdminAction.KEYS_LIST).with("text", "a b").with("limit", 5);
    assertThat(list).hasToString("/api/v1/keys?text=a%20b&limit=5");
    assertThat(list.body()).isEmpty();
    assertThat(AdminQuery.of(AdminAction.KEYS_DELETE, KEY.text()))
        .hasToString("/api/v1/keys/default%2Fpayments%3Aorder%201%2F2");
  }
}

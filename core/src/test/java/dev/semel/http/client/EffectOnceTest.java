package dev.semel.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Tenant;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRules;
import dev.semel.http.client.SocketServer.Asked;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpRequest;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.junit.Patience;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Client and server together, on a network that loses requests and answers: each charge happens
 * once, and its client hears of it.
 */
class EffectOnceTest {
  private static final int CHARGES = 15;

  /** Of so many clients each sends the same charge, such as a page that was opened twice. */
  private static final int CLIENTS = 2;

  private static final ClientSettings SETTINGS =
      ClientSettings.defaults()
          .withPauses(Duration.ofMillis(1), Duration.ofMillis(20))
          .withLongestRetryAfter(Duration.ofMillis(20))
          .withMaxTries(200)
          .withDeadline(Patience.LIMIT);

  /** A service that knows nothing of keys, and a guard before it. */
  private static final class Service {
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final SplittableRandom chance;
    private final HttpIdempotency http;

    Service(Idempotency idempotency, long seed) {
      this.http = new HttpIdempotency(idempotency, HttpRules.of("charges"));
      this.chance = new SplittableRandom(seed);
    }

    private synchronized int dice(int sides) {
      return chance.nextInt(sides);
    }

    void answer(Asked asked, Socket socket) throws IOException {
      if (dice(4) == 0) {
        SocketServer.RESETS.answer(asked, socket); // it never arrived
        return;
      }
      HeadDecision look = http.look(head(asked));
      BodyDecision read = http.read((HeadDecision.NeedsBody) look, asked.body());
      HttpAnswer answer = execute(((BodyDecision.Ready) read).guarded(), asked);
      switch (dice(5)) {
        case 0 -> SocketServer.RESETS.answer(asked, socket);
        case 1 -> SocketServer.HANGS_UP.answer(asked, socket);
        case 2 -> SocketServer.STOPS_HALFWAY.answer(asked, socket);
        default -> write(socket, answer);
      }
    }

    private HttpAnswer execute(GuardedRequest guarded, Asked asked) {
      String charge = new String(asked.body(), StandardCharsets.UTF_8);
      return http.execute(
          guarded,
          execution -> {
            if (dice(4) == 0) {
              return new HttpResponse(503, List.of(), new byte[0]); // and nothing was done
            }
            int n = effects.computeIfAbsent(charge, c -> new AtomicInteger()).incrementAndGet();
            byte[] body = (charge + " " + n).getBytes(StandardCharsets.UTF_8);
            return new HttpResponse(201, List.of(), body);
          });
    }

    private static HttpRequest head(Asked asked) {
      return new HttpRequest(Tenant.DEFAULT, asked.method(), "/charge", "", asked::header);
    }

    private static void write(Socket socket, HttpAnswer answer) throws IOException {
      String[] headers =
          Stream.concat(answer.response().headers().stream(), answer.added().stream())
              .map(header -> header.name() + ": " + header.value())
              .toArray(String[]::new);
      SocketServer.write(socket, answer.response().status(), answer.response().body(), headers);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachChargeHappensOnceAndItsClientsHearOfIt(long seed) {
    try (Idempotency idempotency =
            new Idempotency(new MemoryStore(InstantSource.system()), SemelListener.NONE);
        HttpClient http = HttpClient.newHttpClient()) {
      Service service = new Service(idempotency, seed);
      try (SocketServer server = new SocketServer(service::answer)) {
        IdempotentClient client = new IdempotentClient(http, SETTINGS);
        List<CompletableFuture<ClientResult>> sent =
            IntStream.range(0, CHARGES * CLIENTS)
                .mapToObj(i -> i % CHARGES)
                .map(charge -> send(client, server, charge))
                .toList();
        for (int i = 0; i < sent.size(); i++) {
          String charge = "charge-" + i % CHARGES;
          assertThat(bodyOf(sent.get(i).join())).as("seed %d", seed).isEqualTo(charge + " 1");
        }
        assertThat(service.effects).as("seed %d", seed).hasSize(CHARGES);
        assertThat(service.effects.values())
            .as("seed %d", seed)
            .allSatisfy(effects -> assertThat(effects).hasValue(1));
        assertThat(server.asked())
            .allSatisfy(
                asked ->
                    assertThat(asked.header(HttpHeader.KEY))
                        .containsExactly(new String(asked.body(), StandardCharsets.UTF_8)));
      }
    }
  }

  private static CompletableFuture<ClientResult> send(
      IdempotentClient client, SocketServer server, int charge) {
    String name = "charge-" + charge;
    return client.sendLater(
        java.net.http.HttpRequest.newBuilder(server.uri())
            .POST(BodyPublishers.ofString(name))
            .build(),
        name);
  }

  private static String bodyOf(ClientResult sent) {
    byte[] body =
        switch (sent) {
          case ClientResult.Executed e -> e.answer().body();
          case ClientResult.Replayed r -> r.answer().body();
          case ClientResult.InDoubt d -> throw new AssertionError(d);
          case ClientResult.Refused r -> throw new AssertionError(r);
          case ClientResult.GaveUp g -> throw new AssertionError(g);
        };
    return new String(body, StandardCharsets.UTF_8);
  }
}

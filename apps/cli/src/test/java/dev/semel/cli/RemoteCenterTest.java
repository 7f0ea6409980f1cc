package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.remote.RemoteControlCenter;
import dev.semel.idempotency.MemoryStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.MemoryStreams;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the contract through a server, over real sockets. */
class RemoteCenterTest extends ControlCenterContract {
  private @Nullable SemelServer server;

  @Override
  ControlCenter center(AdminTargets targets) {
    SemelServer started = serve(targets);
    server = started;
    return new RemoteControlCenter(address(started), "");
  }

  private static SemelServer serve(AdminTargets targets) {
    return SemelServer.start(
        dev.semel.server.ServerSettings.defaults().withAddress("127.0.0.1", 0),
        ServerBackend.of(new MemoryStreams(InstantSource.system())).withTargets(targets));
  }

  private static URI address(SemelServer started) {
    return URI.create("http://127.0.0.1:" + started.port());
  }

  @Override
  String actor() {
    return "loopback";
  }

  @Override
  void end() {
    Objects.requireNonNull(server).close();
  }

  @Test
  void whatTheTargetsLacksIsNotThere() {
    SemelServer bare = serve(AdminTargets.of(new MemoryStore(InstantSource.system())));
    URI address = address(bare);
    try (ControlCenter center = new RemoteControlCenter(address, "")) {
      assertThat(center.outbox()).isEmpty();
      assertThat(center.inbox()).isEmpty();
      assertThat(center.jobs()).isEmpty();
      bare.close();
      assertThatThrownBy(center::stats)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("can't be reached");
    }
  }

  /** Options that would be ignored are refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '#',
      value = {
        "400 outbox/retry {'id':'dead','payload':'e30='} destination",
        "400 outbox/retry {'destination':'orders','payload':'e30='} id",
        "400 outbox/retry {'destination':'orders','id':'dead','payload':'{}'} Base64",
        "400 outbox/retry {'destination':'orders','id':'dead','payload':'','expect':1} expect",
        "404 outbox/retry {'destination':'orders','id':'waits','payload':''} dead",
        "400 inbox/retry {'consumer':'stock','payload':'e30='} id",
        "400 inbox/retry {'consumer':'stock','id':'first','payload':'','dry_run':true} dry_run",
        "404 inbox/retry {'consumer':'stock','id':'second','payload':''} dead",
        "400 jobs/retry {'payload':''} key"
      })
  void payloadThatIsNotForOneDeadLetterIsRefused(int status, String path, String body, String says)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(address(Objects.requireNonNull(server)).resolve("/api/v1/" + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.replace('\'', '"')))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(answer.body()).contains(says);
    }
  }

  @ParameterizedTest
  @EnumSource(AdminAction.class)
  void whatMustBeSaidIsAskedFor(AdminAction action) throws Exception {
    List<String> required =
        action.parameters().stream()
            .filter(ActionParameter::required)
            .map(ActionParameter::name)
            .toList();
    if (required.isEmpty()) {
      return;
    }
    String path = AdminAction.ROOT + action.path().replaceAll("\\{\\w+}", "x");
    HttpRequest request =
        HttpRequest.newBuilder(address(Objects.requireNonNull(server)).resolve(path))
            .method(
                action.method(),
                action.takesBody() ? BodyPublishers.ofString("{}") : BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
      assertThat(required).anyMatch(answer.body()::contains);
    }
  }
}

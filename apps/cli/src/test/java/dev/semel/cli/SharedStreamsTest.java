package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservices.NatsService;
import dev.semel.testservices.SharedServices;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two servers that share streams, and commands without a server. */
@Tag("service")
@ExtendWith(SharedServices.class)
class SharedStreamsTest {
  private static final Pattern ADDRESS =
      Pattern.compile("serving streams on (http://\\S+/v1/stream), shared on NATS at nats://");

  @TempDir Path folder;
  private final List<RunningCommand> started = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void endAll() {
    started.forEach(RunningCommand::close);
    client.close();
  }

  private String serve(String streams) {
    RunningCommand server = new Cli(folder).start("serve", "--port", "0", "--streams", streams);
    started.add(server);
    await().until(() -> !server.isAlive() || ADDRESS.matcher(server.errSoFar()).find());
    Matcher address = ADDRESS.matcher(server.errSoFar());
    assertThat(address.find()).as(server.errSoFar()).isTrue();
    return address.group(1);
  }

  private int send(String method, String url, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void whatOneServerTakesTheOtherHasAndSoHaveCommands(NatsService nats) throws Exception {
    String first = serve(nats.url());
    String second = serve(nats.url() + "?replicas=1");
    assertThat(send("PUT", first + "/lines", "one\n")).isEqualTo(201);
    assertThat(send("POST", second + "/lines", "two\n")).isEqualTo(204);
    String read =
        client
            .send(
                HttpRequest.newBuilder(URI.create(first + "/lines")).build(),
                BodyHandlers.ofString())
            .body();
    assertThat(read).isEqualTo("one\ntwo\n");

    Cli.Result command = new Cli(folder).call("streams", "read", "lines", "--streams", nats.url());
    assertThat(command.code()).as(command.err()).isZero();
    assertThat(command.out()).isEqualTo("one\ntwo\n");
  }
}

package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Route;
import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What someone appended never runs with the rights of the person who opens it in a browser. */
@Tag("service")
class StoredScriptTest {
  /** Waits for its answer, so that the page has not loaded before it has done harm. */
  private static final String SCRIPT =
      "var r = new XMLHttpRequest(); r.open('DELETE', '/v1/stream/victim', false); r.send();";

  private static final String HTML = "<script>" + SCRIPT + "</script>";
  private static final String SVG =
      "<svg xmlns='http://www.w3.org/2000/svg'><script>" + SCRIPT + "</script></svg>";
  private static final String XHTML =
      "<html xmlns='http://www.w3.org/1999/xhtml'><head><script>"
          + SCRIPT
          + "</script></head><body/></html>";

  private static final Map<String, String> ACTIVE =
      Map.of(
          "text/html", HTML,
          "image/svg+xml", SVG,
          "application/xhtml+xml", XHTML,
          "text/xml", XHTML);

  @Test
  void nothingRunsInTheOriginOfTheControlCenter() throws Exception {
    try (MemoryStreams streams = new MemoryStreams(InstantSource.system());
        SemelServer server =
            SemelServer.start(
                ServerSettings.defaults()
                    .withAddress("127.0.0.1", 0)
                    .withGrace(Duration.ofSeconds(1)),
                ServerBackend.of(streams)
                    .withTargets(AdminTargets.of(new MemoryStore(InstantSource.system()))));
        HttpClient client = HttpClient.newHttpClient();
        Window window = Window.wide(URI.create("http://127.0.0.1:" + server.port()))) {
      String origin = "http://127.0.0.1:" + server.port();
      String root = origin + "/v1/stream/";
      put(client, root + "victim", "text/plain", "to be kept");
      int number = 0;
      for (Map.Entry<String, String> each : ACTIVE.entrySet()) {
        String stream = root + "evil-" + number++;
        put(client, stream, each.getKey(), each.getValue());
        for (String how : List.of("", "?offset=-1&live=long-poll")) {
          navigate(window, stream + how);
          assertKept(client, root, each.getKey() + how);
        }
        // Also where a browser shows it all the same: without rights it may do that.
        window.page.route(stream + "?offset=-1", StoredScriptTest::inline);
        navigate(window, stream + "?offset=-1");
        assertKept(client, root, each.getKey() + " shown");
      }
      window.open("streams");
      window.waitForText("victim");
    }
  }

  /** An attachment is not gone to, and the browser says so. */
  private static void navigate(Window window, String address) {
    try {
      window.page.navigate(address);
    } catch (PlaywrightException e) {
      assertThat(e).hasMessageMatching("(?s).*(ERR_ABORTED|Download is starting).*");
    }
  }

  private static void inline(Route route) {
    APIResponse answer = route.fetch();
    Map<String, String> headers = new LinkedHashMap<>(answer.headers());
    headers.remove("content-disposition");
    route.fulfill(new Route.FulfillOptions().setResponse(answer).setHeaders(headers));
  }

  private static void assertKept(HttpClient client, String root, String opened)
      throws IOException, InterruptedException {
    assertThat(
            client
                .send(
                    HttpRequest.newBuilder(URI.create(root + "victim")).build(),
                    BodyHandlers.ofString())
                .body())
        .as(opened)
        .isEqualTo("to be kept");
  }

  private static void put(HttpClient client, String address, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .PUT(BodyPublishers.ofString(body))
            .header("Content-Type", type)
            .build();
    assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
  }
}

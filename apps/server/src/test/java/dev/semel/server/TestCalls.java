package dev.semel.server;

import dev.semel.junit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Requests of tests to a server. */
public final class TestCalls {
  private TestCalls() {}

  /** Empty body: none is sent. Headers: names and values in turn. */
  public static HttpRequest request(URI uri, String method, String body, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            .timeout(Patience.LIMIT)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return headers.length == 0 ? builder.build() : builder.headers(headers).build();
  }

  public static HttpResponse<String> send(HttpClient client, HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}

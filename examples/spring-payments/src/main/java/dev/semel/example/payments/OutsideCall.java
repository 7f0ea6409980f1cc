package dev.semel.example.payments;

import dev.semel.http.HttpHeader;
import dev.semel.idempotency.EffectUnknown;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Asks someone else to do something, and tells <em>not sent</em> from <em>not known</em>. */
final class OutsideCall {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);

  /** Nothing was sent, so nothing happened: it may be tried again. */
  static final class NotSent extends Exception {
    private static final long serialVersionUID = 1L;

    NotSent(Throwable cause) {
      super(cause);
    }
  }

  /** What an answer means. */
  @FunctionalInterface
  interface Reading {
    String of(ClientHttpResponse answer) throws IOException;
  }

  private final RestClient client;
  private final URI address;

  OutsideCall(URI address) {
    JdkClientHttpRequestFactory calls =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .build());
    calls.setReadTimeout(ANSWER_LIMIT);
    this.client = RestClient.builder().requestFactory(calls).build();
    this.address = address;
  }

  /**
   * @param effectKey the same for every attempt, so that a service which deduplicates can
   * @throws EffectUnknown nobody knows; retries are told so, and none of them calls again
   */
  String post(Object body, String effectKey, Reading reading) throws NotSent {
    try {
      return client
          .post()
          .uri(address)
          .header(HttpHeader.KEY, effectKey)
          .body(body)
          .exchangeForRequiredValue((request, answer) -> reading.of(answer));
    } catch (ResourceAccessException e) {
      if (e.getCause() instanceof ConnectException
          || e.getCause() instanceof HttpConnectTimeoutException) {
        throw new NotSent(e);
      }
      throw new EffectUnknown(address.getPath() + " was asked and did not answer", e);
    }
  }

  /** For an answer that says neither yes nor no. */
  static EffectUnknown unknown(ClientHttpResponse answer) throws IOException {
    return new EffectUnknown(
        "the answer does not say whether it was done",
        new IllegalStateException("it was " + answer.getStatusCode()));
  }
}

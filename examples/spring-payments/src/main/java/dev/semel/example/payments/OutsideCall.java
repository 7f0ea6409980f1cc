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

/** Calls an outside service, and distinguishes <em>not sent</em> from <em>in doubt</em>. */
final class OutsideCall {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);

  /** Nothing was sent, so nothing happened: the call may be repeated. */
  static final class NotSent extends Exception {
    private static final long serialVersionUID = 1L;

    NotSent(Throwable cause) {
      super(cause);
    }
  }

  /** Interprets an answer. */
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
   * @param effectKey the same for every attempt, for services that deduplicate
   * @throws EffectUnknown the effect is in doubt; retries get that answer, and none of them calls
   *     again
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

  /** The exception for an answer that means neither yes nor no. */
  static EffectUnknown unknown(ClientHttpResponse answer) throws IOException {
    return new EffectUnknown(
        "the answer does not say whether it was done",
        new IllegalStateException("it was " + answer.getStatusCode()));
  }
}

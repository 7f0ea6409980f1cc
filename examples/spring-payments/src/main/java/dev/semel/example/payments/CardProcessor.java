package dev.semel.example.payments;

import dev.semel.http.HttpHeader;
import dev.semel.idempotency.EffectUnknown;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.ResponseStatusException;

/**
 * Calls the card processor, and says honestly what became of it: charged, declined, not sent, or
 * not known.
 */
@Component
class CardProcessor {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(1);

  private final RestClient client;
  private final URI charges;

  CardProcessor(@Value("${payments.card-processor}") URI charges) {
    JdkClientHttpRequestFactory calls =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_LIMIT)
                .build());
    calls.setReadTimeout(ANSWER_LIMIT);
    this.client = RestClient.builder().requestFactory(calls).build();
    this.charges = charges;
  }

  /**
   * The processor's reference.
   *
   * @param effectKey the same for every attempt, so that a processor which deduplicates can
   * @throws ResponseStatusException declined, or not sent; a retry of the latter calls again
   * @throws EffectUnknown nobody knows; retries are told so, and none of them calls again
   */
  String charge(Payment payment, String effectKey) {
    try {
      return client
          .post()
          .uri(charges)
          .header(HttpHeader.KEY, effectKey)
          .body(payment)
          .exchangeForRequiredValue((request, answer) -> reference(answer));
    } catch (ResourceAccessException e) {
      if (e.getCause() instanceof ConnectException
          || e.getCause() instanceof HttpConnectTimeoutException) {
        throw new ResponseStatusException(
            HttpStatus.SERVICE_UNAVAILABLE, "the card processor can't be reached", e);
      }
      throw new EffectUnknown("the card processor was asked and did not answer", e);
    }
  }

  private static String reference(ClientHttpResponse answer) throws IOException {
    return switch (answer.getStatusCode().value()) {
      case 201 -> new String(answer.getBody().readAllBytes(), StandardCharsets.UTF_8);
      case 402 ->
          throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "the card was declined");
      default ->
          throw new EffectUnknown(
              "the card processor does not say whether it charged",
              new IllegalStateException("it answered " + answer.getStatusCode()));
    };
  }
}

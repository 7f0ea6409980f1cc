package dev.semel.example.payments;

import dev.semel.idempotency.EffectUnknown;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * Calls the card processor, and distinguishes the results: charged, declined, not sent, or in
 * doubt.
 */
@Component
class CardProcessor {
  private final OutsideCall charges;

  CardProcessor(@Value("${payments.card-processor}") URI charges) {
    this.charges = new OutsideCall(charges);
  }

  /**
   * Charges, and returns the processor's reference.
   *
   * @throws ResponseStatusException declined, or not sent; in the latter case a retry calls again
   * @throws EffectUnknown the charge is in doubt
   */
  String charge(Payment payment, String effectKey) {
    try {
      return charges.post(payment, effectKey, CardProcessor::reference);
    } catch (OutsideCall.NotSent e) {
      throw new ResponseStatusException(
          HttpStatus.SERVICE_UNAVAILABLE, "the card processor can't be reached", e);
    }
  }

  private static String reference(ClientHttpResponse answer) throws IOException {
    return switch (answer.getStatusCode().value()) {
      case 201 -> new String(answer.getBody().readAllBytes(), StandardCharsets.UTF_8);
      case 402 ->
          throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "the card was declined");
      default -> throw OutsideCall.unknown(answer);
    };
  }
}

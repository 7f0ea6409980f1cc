package dev.semel.example.payments;

import dev.semel.Key;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.inbox.MessageRejected;
import dev.semel.transport.Message;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Mails a receipt for each charge. A rollback of the inbox's transaction can't undo a mail, so the
 * mail runs under a lease with the message's id: when the message is redelivered after a crash, the
 * mail is in doubt instead of silently sent again.
 */
@Service
class Receipts {
  private final Idempotency idempotency;
  private final ExecutionPolicy policy;
  private final OutsideCall mails;
  private final JsonMapper json;

  Receipts(
      Idempotency idempotency,
      @Value("${semel.policy.lease}") Duration lease,
      @Value("${payments.mail-service}") URI mails,
      JsonMapper json) {
    this.idempotency = idempotency;
    this.policy = ExecutionPolicy.defaults().withLease(lease);
    this.mails = new OutsideCall(mails);
    this.json = json;
  }

  void mail(Message message) throws OutsideCall.NotSent {
    Charge charge = json.readValue(message.payload(), Charge.class);
    Outcome<String> outcome =
        idempotency.execute(
            ExecutionRequest.of(Key.of("receipt", message.id()), Codec.utf8()).withPolicy(policy),
            execution -> mails.post(charge, execution.effectKey(), Receipts::taken));
    switch (outcome) {
      case Outcome.Executed<String> now -> {}
      case Outcome.Replayed<String> before -> {} // the message was redelivered: nothing to do
      case Outcome.InFlight<String> busy ->
          throw new IllegalStateException("another is at it, or died at it: ask again later");
      case Outcome.InDoubt<String> unknown ->
          throw new MessageRejected(
              "in doubt: whether the receipt was mailed is not known; look there");
      case Outcome.Failed<String> failed -> throw new MessageRejected(failed.failure().toString());
      case Outcome.Mismatch<String> never -> throw new MessageRejected("two messages with one id");
    }
  }

  private static String taken(ClientHttpResponse answer) throws IOException {
    if (answer.getStatusCode().is2xxSuccessful()) {
      return new String(answer.getBody().readAllBytes(), StandardCharsets.UTF_8);
    }
    throw OutsideCall.unknown(answer);
  }
}

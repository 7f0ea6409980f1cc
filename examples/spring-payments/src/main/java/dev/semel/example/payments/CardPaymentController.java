package dev.semel.example.payments;

import dev.semel.idempotency.Execution;
import dev.semel.servlet.IdempotencyFilter;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Payments by card: the money moves at the processor, outside our database. */
@RestController
class CardPaymentController {
  /** The answer to the customer; the reference is the processor's. */
  record Receipt(String order, long amount, String reference) {}

  private final CardProcessor processor;

  CardPaymentController(CardProcessor processor) {
    this.processor = processor;
  }

  @PostMapping("/card-payments")
  @ResponseStatus(HttpStatus.CREATED)
  Receipt pay(
      @RequestBody Payment payment,
      @RequestAttribute(IdempotencyFilter.EXECUTION) Execution execution) {
    String reference = processor.charge(payment, execution.effectKey());
    return new Receipt(payment.order(), payment.amount(), reference);
  }
}

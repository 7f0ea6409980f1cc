package dev.semel.example.payments;

import java.security.Principal;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Payments from the customer's balance: all effects are in our database. */
@RestController
@RequestMapping("/payments")
class PaymentController {
  private final Payments payments;

  PaymentController(Payments payments) {
    this.payments = payments;
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  Charge pay(Principal customer, @RequestBody Payment payment) {
    return payments.charge(customer.getName(), payment);
  }

  @GetMapping
  List<Charge> list(Principal customer) {
    return payments.of(customer.getName());
  }
}

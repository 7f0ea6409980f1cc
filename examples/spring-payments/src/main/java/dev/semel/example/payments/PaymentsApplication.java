package dev.semel.example.payments;

import dev.semel.spring.InboxConsumer;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.Transport;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Takes payments. However often a customer clicks, each is charged and booked once. */
@SpringBootApplication
public class PaymentsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PaymentsApplication.class, arguments);
  }

  /** Carries messages inside this process only; with a broker it is that broker's transport. */
  @Bean(destroyMethod = "close")
  Transport transport() {
    return new MemoryTransport();
  }

  /** Hears of every charge, and books it in the transaction in which the message is recorded. */
  @Bean
  InboxConsumer bookkeeper(Ledger ledger) {
    return new InboxConsumer("ledger", Payments.CHARGES, ledger::book);
  }
}

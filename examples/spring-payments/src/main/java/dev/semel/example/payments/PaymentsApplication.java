package dev.semel.example.payments;

import dev.semel.spring.InboxConsumer;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.transport.Transport;
import java.net.URI;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * An application that takes payments. However often a customer clicks, each payment is charged,
 * booked and mailed once.
 */
@SpringBootApplication
public class PaymentsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PaymentsApplication.class, arguments);
  }

  /** The broker, here {@code semel serve}. For another broker, return its transport. */
  @Bean(destroyMethod = "close")
  Transport transport(@Value("${payments.streams}") URI server) {
    return StreamTransport.over(
        StreamClient.connect(server), StreamTransportSettings.defaults().withPrefix("payments"));
  }

  /** Receives every charge, and books it in the transaction that records the message. */
  @Bean
  InboxConsumer bookkeeper(Ledger ledger) {
    return new InboxConsumer("ledger", Payments.CHARGES, ledger::book);
  }

  /** Also receives every charge, independently: a mail that fails delays no booking. */
  @Bean
  InboxConsumer postman(Receipts receipts) {
    return new InboxConsumer("receipts", Payments.CHARGES, receipts::mail);
  }
}

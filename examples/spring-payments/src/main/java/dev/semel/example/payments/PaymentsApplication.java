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

/** Takes payments. However often a customer clicks, each is charged, booked and mailed once. */
@SpringBootApplication
public class PaymentsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(PaymentsApplication.class, arguments);
  }

  /** The broker: {@code semel serve}. With another one it is that one's transport. */
  @Bean(destroyMethod = "close")
  Transport transport(@Value("${payments.streams}") URI server) {
    return StreamTransport.over(
        StreamClient.connect(server), StreamTransportSettings.defaults().withPrefix("payments"));
  }

  /** Hears of every charge, and books it in the transaction in which the message is recorded. */
  @Bean
  InboxConsumer bookkeeper(Ledger ledger) {
    return new InboxConsumer("ledger", Payments.CHARGES, ledger::book);
  }

  /** Hears of every charge too, in its own time: a mail that fails holds up no booking. */
  @Bean
  InboxConsumer postman(Receipts receipts) {
    return new InboxConsumer("receipts", Payments.CHARGES, receipts::mail);
  }
}

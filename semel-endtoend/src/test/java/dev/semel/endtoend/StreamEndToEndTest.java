package dev.semel.endtoend;

import dev.semel.stream.client.StreamClient;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.testservices.PostgresService;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class StreamEndToEndTest extends EndToEnd {
  private static final ShopBroker BROKER =
      (address, shop) ->
          StreamTransport.over(
              StreamClient.connect(URI.create(address)),
              StreamTransportSettings.defaults()
                  .withConfirmWithin(Duration.ofSeconds(2))
                  .withLease(ShopProcess.LEASE));

  @Test
  @Tag("service")
  void someOrdersTakeEffectOnce(PostgresService postgres) {
    run(postgres.freshDatabase().jdbcUrl(), 200, 2, 4, 17);
  }

  @Override
  protected BrokerService startBroker() {
    return new StreamsService(folder);
  }

  @Override
  protected ShopBroker broker() {
    return BROKER;
  }

  @Override
  protected Class<?> process() {
    return Child.class;
  }

  /** A relay or a consumer. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      ShopProcess.run(BROKER, arguments);
    }
  }
}

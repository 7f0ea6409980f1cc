package dev.semel.endtoend;

final class StreamEndToEndTest extends EndToEnd {
  StreamEndToEndTest() {
    super(ShopBroker.STREAMS);
  }

  @Override
  protected BrokerService startBroker() {
    return new StreamsService(folder);
  }
}

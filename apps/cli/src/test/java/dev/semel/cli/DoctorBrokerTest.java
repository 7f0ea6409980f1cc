package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.kafka.TopicSettings;
import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.rabbitmq.RabbitSettings;
import dev.semel.rabbitmq.RabbitStreamSettings;
import dev.semel.rabbitmq.RabbitStreamTransport;
import dev.semel.rabbitmq.RabbitTransport;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.RedisStreamsTransport;
import dev.semel.testservices.KafkaService;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedServices.class)
class DoctorBrokerTest {
  @TempDir Path folder;

  private Cli.Result doctor(String... more) {
    String[] words = new String[5 + more.length];
    System.arraycopy(new String[] {"doctor", "--store", "memory:", "-o", "plain"}, 0, words, 0, 5);
    System.arraycopy(more, 0, words, 5, more.length);
    return new Cli(folder).call(words);
  }

  @Test
  @Tag("service")
  void whatABrokerPutsAtRiskIsWarnedOf() {
    try (NatsService nats = NatsService.start("authorization { token: \"s3cret\" }")) {
      String url = nats.url().replace("://", "://s3cret@");
      StreamSettings risky =
          StreamSettings.of("ORDERS", "orders.>").withDuplicateWindow(Duration.ofMinutes(1));
      JetStreamTransport.connect(JetStreamSettings.of(url, risky)).close();
      Cli.Result found = doctor("--broker", url, "--destination", "orders.created");
      assertThat(found.code()).isEqualTo(ExitCode.FAILED);
      assertThat(found.out())
          .containsPattern("ok\tbroker\tNATS \\d+\\.\\S+, the stream ORDERS knows ids for 1m\n")
          .contains("warning\tbroker\tthe stream ORDERS knows ids for PT1M")
          .contains("warning\tbroker\twhether the server forces its files");
      Cli.Result unknown = doctor("--broker", url, "--destination", "nobody.listens");
      assertThat(unknown.out())
          .contains("warning\tbroker\tno stream takes messages for the destination");
      assertThat(unknown.code()).isEqualTo(ExitCode.FAILED);
      Cli.Result refused = doctor("--broker", nats.url(), "--destination", "orders.created");
      assertThat(refused.out()).contains("warning\tbroker\t").contains("does not let us in");
      assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(found.out() + found.err() + unknown.out() + unknown.err())
          .doesNotContain("s3cret");
    }
  }

  @Test
  @Tag("service")
  void kafkaIsLookedAtWithTheOptionsOfItsClients() throws Exception {
    try (KafkaService kafka =
        KafkaService.start(
            "listener.security.protocol.map=CLIENT:SASL_PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listener.name.client.sasl.enabled.mechanisms=PLAIN",
            "listener.name.client.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule"
                + " required user_shop=\"s3cret\";")) {
      KafkaSettings inside =
          KafkaSettings.of(kafka.internalBootstrap()).withTopics(new TopicSettings(2, 1, 1));
      try (KafkaTransport transport = KafkaTransport.connect(inside)) {
        transport.publish(Message.of("orders", new byte[] {1})).toCompletableFuture().get();
      }
      String options =
          "?security.protocol=SASL_PLAINTEXT&sasl.mechanism=PLAIN&sasl.jaas.config="
              + "org.apache.kafka.common.security.plain.PlainLoginModule%20required%20username=%22shop%22%20password=%22";
      String url = kafka.url() + options + "s3cret%22;";
      assertFinds(url, "warning\tbroker\tthe topic orders has one replica", "there is no topic");
      Cli.Result refused = look(kafka.url() + options + "s3cre7%22;", "orders");
      assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(refused.out()).contains("does not let us in").doesNotContain("s3cre");
    }
  }

  @Test
  @Tag("service")
  void rabbitIsLookedAtByQueuesAndByStreamsWithThePartitionsTheyHave() {
    try (RabbitService rabbit = RabbitService.start("default_pass = s3cret")) {
      String url = rabbit.url().replace(":guest@", ":s3cret@");
      RabbitTransport.connect(
              RabbitSettings.of(url).withDestination("orders", "billing").withPartitions(3))
          .close();
      assertFinds(
          url,
          "warning\tbroker\twhether anything limits how many messages wait",
          "there is no exchange");
      String streams = "rabbitmq-stream://guest:s3cret@127.0.0.1:" + rabbit.streamPort();
      RabbitStreamTransport.connect(
              RabbitStreamSettings.of(streams).withDestination("orders").withPartitions(2))
          .close();
      assertFinds(
          streams,
          "warning\tbroker\twhen streams drop messages, received or not, can't be seen",
          "there are no streams");
      Cli.Result refused = look(url.replace("s3cret", "s3cre7"), "orders");
      assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(refused.out()).contains("as user guest").doesNotContain("s3cre");
    }
  }

  @Test
  @Tag("service")
  void redisIsLookedAtAndNothingIsWrittenThere() throws Exception {
    try (RedisService redis = RedisService.start("--appendonly", "no", "--requirepass", "s3cret")) {
      String url = redis.url().replace("://", "://:s3cret@");
      try (RedisStreamsTransport transport =
          RedisStreamsTransport.connect(RedisStreamsSettings.of(url).withPartitions(2))) {
        transport.publish(Message.of("orders", new byte[] {1})).toCompletableFuture().get();
      }
      assertFinds(url, "warning\tbroker\t", "nobody has used the destination");
      Cli.Result again = look(url, "nobody.listens");
      assertThat(again.out()).contains("nobody has used the destination");
      Cli.Result refused = look(redis.url(), "orders");
      assertThat(refused.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(refused.out()).contains("refused the user or password");
    }
  }

  @Test
  @Tag("service")
  void aRedisClusterIsLookedAt(RedisClusterService cluster) throws Exception {
    try (RedisStreamsTransport transport =
        RedisStreamsTransport.connect(RedisStreamsSettings.of(cluster.url()))) {
      transport.publish(Message.of("orders", new byte[] {1})).toCompletableFuture().get();
    }
    assertFinds(cluster.url(), "warning\tbroker\t", "nobody has used the destination");
  }

  private Cli.Result look(String url, String destination) {
    return doctor("--broker", url, "--destination", destination);
  }

  /** By the variable too, which hides the URL from others. */
  private void assertFinds(String url, String risk, String missing) {
    Cli.Result found = look(url, "orders");
    assertThat(found.code()).as(found.out()).isEqualTo(ExitCode.FAILED);
    assertThat(found.out()).contains(risk);
    Cli.Result unknown =
        new Cli(folder)
            .with("SEMEL_BROKER", url)
            .call("doctor", "--store", "memory:", "--destination", "nobody.listens");
    assertThat(unknown.code()).as(unknown.out()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.out()).contains(missing);
    assertThat(found.out() + found.err() + unknown.out() + unknown.err()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "nats://u:s3cret@127.0.0.1:1, NATS can't be reached at nats://127.0.0.1:1",
    "kafka://127.0.0.1:1?default.api.timeout.ms=1500&request.timeout.ms=700&sasl.jaas.config=s3cret,"
        + " Kafka can't be reached at 127.0.0.1:1",
    "amqp://u:s3cret@127.0.0.1:1/shop, RabbitMQ can't be reached at 127.0.0.1:1",
    "amqps://u:s3cret@127.0.0.1:1/shop, RabbitMQ can't be reached at 127.0.0.1:1",
    "rabbitmq-stream://u:s3cret@127.0.0.1:1/shop, RabbitMQ's streams can't be reached at 127.0.0.1:1",
    "redis://u:s3cret@127.0.0.1:1, 127.0.0.1:1",
    "redis-cluster://u:s3cret@127.0.0.1:1, 127.0.0.1:1",
  })
  void aBrokerThatIsAwayIsToldWithoutItsPassword(String url, String text) {
    Cli.Result away = look(url, "orders");
    assertThat(away.code()).as(away.out() + away.err()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(away.out())
        .contains("warning\tbroker\t")
        .contains(text)
        .contains("can't be reached");
    assertThat(away.out() + away.err()).doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kafka://u:s3cret@127.0.0.1:1",
        "kafka://127.0.0.1:1?sasl.jaas.config=s3cret%zz",
        "kafka://127.0.0.1:1?acks=s3cret",
        "amqp://u:s3cret%zz@127.0.0.1",
        "redis://u:s3cret@127.0.0.1:1,127.0.0.1:2",
      })
  void aUrlThatCantBeReadIsNotRepeated(String url) {
    Cli.Result odd = look(url, "orders");
    assertThat(odd.code()).isEqualTo(ExitCode.USAGE);
    assertThat(odd.out() + odd.err()).doesNotContain("s3cret");
  }

  @Test
  void aBrokerIsLookedAtByItsDestinations() {
    assertThat(doctor("--broker", "nats://localhost").code()).isEqualTo(ExitCode.USAGE);
    assertThat(doctor("--destination", "orders").code()).isEqualTo(ExitCode.USAGE);
    Cli.Result odd = doctor("--broker", "gopher://u:secret@x", "--destination", "orders");
    assertThat(odd.code()).isEqualTo(ExitCode.USAGE);
    assertThat(odd.err()).contains("nats://", "amqp://").doesNotContain("secret");
    Cli.Result alone =
        new Cli(folder).with("SEMEL_BROKER", "nats://x").call("doctor", "--store", "memory:");
    assertThat(alone.code()).as("nobody asked for it").isNotEqualTo(ExitCode.USAGE);
  }
}

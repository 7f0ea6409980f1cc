package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.testservices.NatsService;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      assertThat(found.code()).isEqualTo(Exit.FAILED);
      assertThat(found.out())
          .contains("warning\tbroker\tthe stream ORDERS knows ids for PT1M")
          .contains("warning\tbroker\twhether the server forces its files");
      Cli.Result unknown = doctor("--broker", url, "--destination", "nobody.listens");
      assertThat(unknown.out())
          .contains("warning\tbroker\tno stream takes messages for the destination");
      Cli.Result refused = doctor("--broker", nats.url(), "--destination", "orders.created");
      assertThat(refused.out()).contains("warning\tbroker\t").contains("does not let us in");
      assertThat(found.out() + found.err() + unknown.out() + unknown.err())
          .doesNotContain("s3cret");
    }
  }

  @Test
  void aBrokerThatIsAwayIsAFindingWithoutItsPassword() {
    Cli.Result away = doctor("--broker", "nats://u:secret@127.0.0.1:1", "--destination", "orders");
    assertThat(away.code()).isEqualTo(Exit.FAILED);
    assertThat(away.out()).contains("warning\tbroker\tNATS can't be reached at nats://127.0.0.1:1");
    assertThat(away.out() + away.err()).doesNotContain("secret");
  }

  @Test
  void aBrokerIsLookedAtByItsDestinations() {
    assertThat(doctor("--broker", "nats://localhost").code()).isEqualTo(Exit.USAGE);
    assertThat(doctor("--destination", "orders").code()).isEqualTo(Exit.USAGE);
    Cli.Result odd = doctor("--broker", "gopher://u:secret@x", "--destination", "orders");
    assertThat(odd.code()).isEqualTo(Exit.USAGE);
    assertThat(odd.err()).contains("nats://").doesNotContain("secret");
  }
}

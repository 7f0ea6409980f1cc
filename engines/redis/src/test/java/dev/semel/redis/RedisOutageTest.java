package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.Event.Reconciled.Verdict;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.spi.Store;
import dev.semel.proof.fault.FaultProxy;
import dev.semel.proof.fault.FaultProxy.Weather;
import dev.semel.proof.fault.OutageHarness;
import dev.semel.proof.fault.OutageHarness.Account;
import dev.semel.testservices.RedisService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Redis fails under load, for one of two users (network) or for both (server), and comes back. The
 * test waits in real time, because the length is part of the experiment.
 */
class RedisOutageTest {
  private static final Duration BRIEF = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String TIMEOUT = "?timeout=1s";

  @TempDir Path folder;

  private TestReporter report;

  @BeforeEach
  void reportTo(TestReporter report) {
    this.report = report;
  }

  @Test
  @Tag("service")
  void whileTheNetworkIsCutNothingRunsTwiceIfItFailsClosed() {
    assertNothingRanTwice(cutOff(OnOutage.FAIL_CLOSED, Weather.CUT, BRIEF));
  }

  @Test
  @Tag("service")
  void whileTheNetworkIsCutWhatRanTwiceIsNamed() {
    assertEveryRepetitionIsNamed(cutOff(OnOutage.WARN_AND_CONTINUE, Weather.CUT, BRIEF));
  }

  @Test
  @Tag("proof")
  void whileAnswersAreLostWhatRanTwiceIsNamed() {
    assertEveryRepetitionIsNamed(cutOff(OnOutage.WARN_AND_CONTINUE, Weather.ANSWERS_LOST, BRIEF));
  }

  @Test
  @Tag("service")
  void whileTheServerIsDownWhatRanTwiceIsNamed() {
    assertEveryRepetitionIsNamed(killed(OnOutage.WARN_AND_CONTINUE, BRIEF));
  }

  @Test
  @Tag("proof")
  void tenSecondsWithoutANetwork() {
    assertNothingRanTwice(cutOff(OnOutage.FAIL_CLOSED, Weather.CUT, LONG));
    assertEveryRepetitionIsNamed(cutOff(OnOutage.WARN_AND_CONTINUE, Weather.SILENT, LONG));
    assertEveryRepetitionIsNamed(cutOff(OnOutage.WARN_AND_CONTINUE, Weather.CUT, LONG));
  }

  @Test
  @Tag("proof")
  void tenSecondsWithoutAServer() {
    assertNothingRanTwice(killed(OnOutage.FAIL_CLOSED, LONG));
    assertEveryRepetitionIsNamed(killed(OnOutage.WARN_AND_CONTINUE, LONG));
  }

  private void assertNothingRanTwice(Account account) {
    print(account);
    assertThat(account.refused()).isPositive();
    assertThat(account.ranTwice()).isEmpty();
    assertThat(account.verdicts()).isEmpty();
  }

  private void assertEveryRepetitionIsNamed(Account account) {
    print(account);
    assertThat(account.verdicts()).isNotEmpty();
    assertThat(account.reported(Verdict.RAN_TWICE)).isEqualTo(account.ranTwice());
  }

  private void print(Account account) {
    report.publishEntry(Map.of("outages", "1", "calls", "" + account.asked()));
    System.out.printf(
        "outage: asked %d, refused %d, took effect %d, ran twice %d, reported as such %d%n",
        account.asked(),
        account.refused(),
        account.effects(),
        account.ranTwice().size(),
        account.reported(Verdict.RAN_TWICE).size());
  }

  private Account cutOff(OnOutage policy, Weather weather, Duration length) {
    try (RedisService service = RedisService.start("--appendonly", "no");
        FaultProxy proxy = FaultProxy.before(service.port());
        Store behind = RedisStore.open("redis://127.0.0.1:" + proxy.port() + TIMEOUT);
        Store direct = RedisStore.open(service.url() + TIMEOUT)) {
      return OutageHarness.run(
          List.of(behind, direct),
          policy,
          keys(length),
          folder.resolve("journals"),
          untilFelt -> {
            proxy.set(weather);
            pass(length);
            untilFelt.run();
            proxy.set(Weather.CUT); // a frozen server must not come back with old answers
            proxy.set(Weather.CLEAR);
          });
    }
  }

  private Account killed(OnOutage policy, Duration length) {
    try (RedisService service = RedisService.start("--appendfsync", "always");
        Store first = RedisStore.open(service.url() + TIMEOUT);
        Store second = RedisStore.open(service.url() + TIMEOUT)) {
      return OutageHarness.run(
          List.of(first, second),
          policy,
          keys(length),
          folder.resolve("journals"),
          untilFelt -> {
            service.kill();
            pass(length);
            untilFelt.run();
            service.restart();
          });
    }
  }

  /** Enough keys that some are new when the outage begins, and when it ends. */
  private static int keys(Duration length) {
    return length.equals(LONG) ? 40_000 : 2_000;
  }

  private static void pass(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}

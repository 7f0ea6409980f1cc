package dev.semel.example.payments.tryit;

import dev.semel.example.payments.PaymentsApplication;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.testservices.PostgresService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the application for a trial, with temporary services: PostgreSQL, a stream server, a card
 * processor and a mail service, unless the environment names others. They end with it.
 */
public final class TryIt {
  private TryIt() {}

  public static void main(String[] arguments) throws Exception {
    if (System.getenv("SPRING_DATASOURCE_URL") == null) {
      PostgresService postgres = PostgresService.start();
      System.setProperty("spring.datasource.url", postgres.database().jdbcUrl());
    }
    if (System.getenv("PAYMENTS_STREAMS") == null) {
      System.setProperty("payments.streams", streams());
    }
    String practice = PracticeServices.start();
    if (System.getenv("PAYMENTS_CARD_PROCESSOR") == null) {
      System.setProperty("payments.card-processor", practice + "/charges");
    }
    if (System.getenv("PAYMENTS_MAIL_SERVICE") == null) {
      System.setProperty("payments.mail-service", practice + "/mails");
    }
    SpringApplication application = new SpringApplication(PaymentsApplication.class);
    // Few attempts, so that a dead letter appears soon.
    application.setDefaultProperties(Map.of("semel.consumer.max-attempts", "4"));
    // No shutdown of the application: the database ends at the same moment, so it would only report
    // errors.
    application.setRegisterShutdownHook(false);
    Runtime.getRuntime().addShutdownHook(new Thread(TryIt::beQuiet));
    try {
      ConfigurableApplicationContext running = application.run(arguments);
      System.out.println(lines(running.getEnvironment().getRequiredProperty("local.server.port")));
    } catch (RuntimeException reported) {
      System.exit(1); // otherwise the processor would keep the process alive
    }
  }

  /** Starts a stream server like {@code semel serve}. */
  private static String streams() throws IOException {
    Path journal = Files.createTempDirectory("semel-payments");
    SemelServer server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0),
            ServerBackend.of(
                JournalStreams.open(
                    journal, InstantSource.system(), JournalStreams.Settings.defaults())));
    return "http://127.0.0.1:" + server.port();
  }

  private static void beQuiet() {
    LoggingSystem.get(TryIt.class.getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
  }

  private static String lines(String port) {
    return """

        It runs. Try these, each of them twice:

          curl -iu alice:alice localhost:%1$s/payments -H 'Idempotency-Key: k-1' --json '{"order":"book","amount":1200}'
          curl -iu alice:alice localhost:%1$s/payments -H 'Idempotency-Key: k-1' --json '{"order":"book","amount":9900}'
          curl -iu bob:bob     localhost:%1$s/payments -H 'Idempotency-Key: k-1' --json '{"order":"book","amount":1200}'
          curl -iu alice:alice localhost:%1$s/card-payments -H 'Idempotency-Key: k-2' --json '{"order":"lamp","amount":4500}'
          curl -iu alice:alice localhost:%1$s/card-payments -H 'Idempotency-Key: k-3' --json '{"order":"lost","amount":4500}'
          curl -iu alice:alice localhost:%1$s/payments -H 'Idempotency-Key: k-4' --json '{"order":"lost","amount":700}'
          curl -iu alice:alice localhost:%1$s/payments -H 'Idempotency-Key: k-5' --json '{"order":"castle","amount":100000001}'
          curl -su alice:alice localhost:%1$s/payments
          curl -su alice:alice localhost:%1$s/actuator/semel
          curl -su alice:alice localhost:%1$s/actuator/health

        Card processor and mail service hang up on the order "lost"; the ledger fails with more than a million. Ctrl-C ends it all.
        """
        .formatted(port);
  }
}

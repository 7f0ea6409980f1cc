package dev.semel.example.payments.tryit;

import dev.semel.example.payments.PaymentsApplication;
import dev.semel.testservices.PostgresService;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * For trying it: the application with a PostgreSQL and a card processor of its own, unless the
 * environment names others. Both are gone when it ends.
 */
public final class TryIt {
  private TryIt() {}

  public static void main(String[] arguments) throws Exception {
    if (System.getenv("SPRING_DATASOURCE_URL") == null) {
      PostgresService postgres = PostgresService.start();
      System.setProperty("spring.datasource.url", postgres.database().jdbcUrl());
    }
    if (System.getenv("PAYMENTS_CARD_PROCESSOR") == null) {
      System.setProperty("payments.card-processor", PracticeProcessor.start().toString());
    }
    SpringApplication application = new SpringApplication(PaymentsApplication.class);
    // The database ends at the same moment: there is nothing to say good-bye to, or to report.
    application.setRegisterShutdownHook(false);
    Runtime.getRuntime().addShutdownHook(new Thread(TryIt::beQuiet));
    try {
      ConfigurableApplicationContext running = application.run(arguments);
      System.out.println(lines(running.getEnvironment().getRequiredProperty("local.server.port")));
    } catch (RuntimeException reported) {
      System.exit(1); // or the processor would keep the process alive
    }
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
          curl -su alice:alice localhost:%1$s/payments
          curl -su alice:alice localhost:%1$s/actuator/semel

        The card processor hangs up on the order "lost". Ctrl-C ends it all.
        """
        .formatted(port);
  }
}

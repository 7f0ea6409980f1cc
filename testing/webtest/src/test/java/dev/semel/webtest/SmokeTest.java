package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What must never break: the page opens, shows what happened, and nothing complains. */
@Tag("service")
@ExtendWith(SharedServices.class)
class SmokeTest {
  /** All that a browser gets before the overview shows, not packed. */
  private static final long MOST_BYTES = 150_000;

  private static final String LINKS =
      "(of = document) => [...of.querySelectorAll('header nav a')].map(a => a.getAttribute('href') + ' ' + a.textContent)";

  /** What is painted before any script ran: it stands in the page, and again in app.js. */
  private static final String STATIC_LINKS =
      "async () => (%s)(new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html'))"
          .formatted(LINKS);

  @Test
  void theOverviewShowsWhatAnApplicationDoesAndEveryViewOpens(PostgresService postgres)
      throws Exception {
    TestDatabase database = postgres.freshDatabase();
    try (Shop shop = new Shop(database);
        Control control = new Control(database);
        Window window = Window.wide(control.address())) {
      shop.pay("payments", "order-1");
      shop.pay("payments", "order-1");
      window.open("overview");
      window.waitForText("● live");
      window.waitForText("order-1");
      long bytes =
          ((Number)
                  window.page.evaluate(
                      """
                      () => performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                        .filter(each => !each.name.includes('/api/'))
                        .reduce((sum, each) => sum + each.decodedBodySize, 0)
                      """))
              .longValue();
      Object paint =
          window.page.evaluate(
              "() => performance.getEntriesByType('paint').map(p => p.name + ' ' + Math.round(p.startTime) + ' ms').join(', ')");
      System.out.printf("the page: %d bytes, %s%n", bytes, paint);
      assertThat(bytes).isBetween(50_000L, MOST_BYTES);

      for (String view :
          new String[] {
            "keys", "outbox", "inbox", "jobs", "streams", "alerts", "audit", "settings", "health"
          }) {
        window.open(view);
        window.page.waitForSelector("main .panel");
      }
      assertThat(window.page.evaluate(STATIC_LINKS)).isEqualTo(window.page.evaluate(LINKS));
      window.open("keys?key=default%2Fpayments%3Aorder-1");
      window.page.waitForSelector("dialog.drawer .life li");
      window.assertQuiet();
    }
  }
}

package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import dev.semel.junit.ProjectRoot;
import dev.semel.loop.internal.Loop;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Takes the pictures in {@code docs/pictures} of an application at work, with {@code
 * -Dsemel.pictures=write}: each run has other figures, so that nothing compares them. People look
 * at them.
 */
@Tag("proof")
@ExtendWith(SharedServices.class)
class PicturesTest {
  private static final Path FOLDER = ProjectRoot.resolve("docs/pictures");
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** About so many seconds of customers before anyone takes a picture. */
  private static final int SECONDS = 100;

  @Test
  void picturesAreTaken(PostgresService postgres) throws Exception {
    assumeTrue("write".equals(System.getProperty("semel.pictures")), "pictures are not asked for");
    TestDatabase database = postgres.freshDatabase();
    try (Shop shop = new Shop(database);
        Control control = new Control(database);
        Window dark = Window.wide(control.address());
        Window light = Window.wide(control.address(), ColorScheme.LIGHT);
        Window narrow = Window.narrow(control.address())) {
      shop.enqueue("customer-7", "{\"customer\":7,\"broken\":true}");
      for (int i = 0; i < 3; i++) {
        shop.pay("payments", "order-4711");
      }
      produce(control.address(), "PUT", "", 0);
      produce(control.address(), "POST", "checkout-1", 3);
      produce(control.address(), "POST", "checkout-2", 3);
      produce(control.address(), "POST", "cron-eu", 0);
      try (Loop customers = shop.customers()) {
        assertThat(customers).isNotNull();
        for (Window each : new Window[] {dark, light, narrow}) {
          each.open("overview");
          each.waitForText("● live");
        }
        int before = shop.ran();
        await().atMost(PATIENCE).until(() -> shop.ran() > before + SECONDS * 10);
        picture(dark, "overview.png");
        picture(light, "light.png");
        picture(narrow, "narrow.png");
        dark.open("keys?key=default%2Fpayments%3Aorder-4711");
        dark.page.waitForSelector("dialog.drawer .life li");
        dark.waitForText("expires");
        picture(dark, "key.png");
      }
      dark.assertQuiet();
    }
  }

  private static void produce(URI server, String method, String producer, int epoch)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve("/v1/stream/orders"))
            .header("Content-Type", "application/json")
            .method(
                method,
                producer.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString("[{\"order\":4711}]"));
    if (!producer.isEmpty()) {
      request.headers(
          "Producer-Id", producer, "Producer-Epoch", Integer.toString(epoch), "Producer-Seq", "0");
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      assertThat(client.send(request.build(), BodyHandlers.discarding()).statusCode())
          .isBetween(200, 299);
    }
  }

  private static void picture(Window window, String name) {
    window.page.waitForFunction("() => !document.querySelector('.notices p')");
    window.page.screenshot(new ScreenshotOptions().setPath(FOLDER.resolve(name)));
  }
}

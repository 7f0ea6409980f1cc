package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dead letters of outbox and inbox that an operator mends, with an application at work. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class EditAndRetryTest {
  private static final String HOSTILE = "</textarea><img src=x onerror=alert(1)>\n  \"quoted\" ä";

  @SuppressWarnings("NullAway.Init")
  private Shop shop;

  @SuppressWarnings("NullAway.Init")
  private Control control;

  @BeforeEach
  void open(PostgresService postgres) {
    TestDatabase database = postgres.freshDatabase();
    shop = new Shop(database);
    control = new Control(database);
  }

  @AfterEach
  void close() {
    control.close();
    shop.close();
  }

  /** What the dialog shows, once someone asked for it. */
  private static Locator edit(Window window, String view, String id) {
    window.open(view);
    window
        .page
        .locator("tr", new com.microsoft.playwright.Page.LocatorOptions().setHasText(id))
        .getByText("Edit and retry…")
        .click();
    Locator payload = window.page.locator("dialog.question textarea");
    payload.waitFor();
    return payload;
  }

  private static void send(Window window) {
    window.page.getByText("Retry with this").click();
    window.waitForText("Back in its queue with the new payload");
  }

  @Test
  void deadLetterOfTheOutboxIsMendedAndReachesTheConsumer() {
    String large = HOSTILE + "x".repeat(Shop.MOST_BYTES);
    shop.tell(Message.of("orders", large).withId("order/1 ä").withOrderingKey("ann"));
    shop.tell(Message.of("orders", "small").withId("order-2").withOrderingKey("ann"));
    try (Window window = Window.wide(control.address())) {
      Locator payload = edit(window, "outbox?state=dead", "order/1 ä");
      assertThat(payload.inputValue()).isEqualTo(large);
      assertThat(window.page.locator("dialog img").count()).isZero();
      assertThat(window.barriers()).isEmpty();
      payload.fill("mended");
      send(window);
      await().until(() -> shop.booked.size() == 2);
      assertThat(shop.booked.getLast()).endsWith(" mended");
      window.waitForText("No such message.");
      window.open("audit");
      window.waitForText("edit and retry message of the outbox");
      window.assertQuiet();
    }
  }

  @Test
  void deadLetterOfTheInboxIsMendedAndTakesEffectOnce() {
    Message broken = Message.of("orders", "broken " + HOSTILE).withId("order-3");
    shop.deliver(broken);
    try (Window window = Window.wide(control.address())) {
      Locator payload = edit(window, "inbox?consumer=stock", "there is no such shelf");
      assertThat(payload.inputValue()).isEqualTo("broken " + HOSTILE);
      assertThat(window.page.locator("dialog img").count()).isZero();
      window.page.keyboard().press("Escape");
      window.page.waitForFunction("() => !document.querySelector('dialog.question')");
      assertThat(shop.stocked).isEmpty();

      edit(window, "inbox?consumer=stock", "order-3").fill("mended");
      send(window);
      await().until(() -> !shop.stocked.isEmpty());
      shop.deliver(broken);
      window.waitForText("No such message.");
      assertThat(shop.stocked).containsExactly("order-3 mended");
      window.assertQuiet();
    }
  }

  @Test
  void payloadThatIsNoTextKeepsEveryByte() {
    shop.deliver(Message.of("orders", bytes("broken \u00ff\u0000\r\n")).withId("order-4"));
    try (Window window = Window.wide(control.address())) {
      Locator payload = edit(window, "inbox?consumer=stock", "order-4");
      assertThat(payload.inputValue()).isEqualTo(encoded("broken \u00ff\u0000\r\n"));
      window.waitForText("as Base64");
      payload.fill("not Base64!");
      window.page.getByText("Retry with this").click();
      window.waitForText("the payload must be Base64");
      assertThat(shop.stocked).isEmpty();

      edit(window, "inbox?consumer=stock", "order-4").fill(encoded("mended \u00ff\u0000\r\n"));
      send(window);
      await().until(() -> !shop.stocked.isEmpty());
      assertThat(shop.stocked).containsExactly("order-4 mended \u00ff\u0000\r\n");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(bytes(text));
  }

  @Test
  void whoIsLaterThanAnotherIsToldSo() {
    shop.deliver(Message.of("orders", "broken").withId("order-5"));
    try (Window window = Window.wide(control.address());
        Window other = Window.wide(control.address())) {
      Locator first = edit(window, "inbox?consumer=stock", "order-5");
      Locator second = edit(other, "inbox?consumer=stock", "order-5");
      first.fill("mended");
      second.fill("mended too");
      send(window);
      other.page.getByText("Retry with this").click();
      other.waitForText("there is no such dead letter, or not any more");
      await().until(() -> !shop.stocked.isEmpty());
      assertThat(shop.stocked).isEqualTo(List.of("order-5 mended"));
    }
  }
}

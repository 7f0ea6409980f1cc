package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page.LocatorOptions;
import dev.semel.server.AccessRules;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that wants to know who asks. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class TokenTest {
  private static final String READER = "reader-0123456789abcdef";
  private static final String ADMIN = "admin-0123456789abcdef0";

  @TempDir Path folder;

  @Test
  void pageAsksForATokenKeepsItOutOfAddressesAndHidesWhatAReaderMayNotDo(PostgresService postgres)
      throws Exception {
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, READER + " read\n" + ADMIN + " admin\n");
    TestDatabase database = postgres.freshDatabase();
    try (Shop shop = new Shop(database);
        Control control = new Control(database, AccessRules.parse(tokens));
        Window window = Window.wide(control.address())) {
      shop.pay("payments", "order-1");
      shop.deliver(Message.of("orders", "broken").withId("order-2"));
      shop.tell(Message.of("orders", new byte[Shop.MOST_BYTES]).withId("order-3"));
      window.open("keys");
      window.waitForText("This server wants a token.");
      enter(window, "wrong-0123456789abcdef");
      window.waitForText("send a token");

      enter(window, READER);
      window.waitForText("order-1");
      window.waitForText("read only");
      window.waitForText("● live");
      assertThat(window.page.getByText("Delete all of these…").count()).isZero();
      for (String dead : List.of("inbox?consumer=stock", "outbox?state=dead")) {
        window.open(dead);
        window.page.locator("td", hasText("dead")).first().waitFor();
        assertThat(window.page.locator("td button").count()).as(dead).isZero();
      }
      window.open("keys?key=default%2Fpayments%3Aorder-1");
      window.page.waitForSelector("dialog.drawer .life li");
      assertThat(window.page.locator("dialog.drawer .danger").count()).isZero();
      window.page.reload();
      window.waitForText("● live");

      window.page.keyboard().press("Escape");
      window.page.getByText("Sign out").click();
      window.waitForText("This server wants a token.");
      enter(window, ADMIN);
      window.page.getByText("Delete all of these…").waitFor();
      window.open("inbox?consumer=stock");
      window.page.getByText("Edit and retry…").waitFor();
      assertThat(window.asked()).noneMatch(url -> url.contains("0123456789"));
      assertThat(window.page.evaluate("() => JSON.stringify(localStorage)").toString())
          .doesNotContain("0123456789");
    }
  }

  private static LocatorOptions hasText(String text) {
    return new LocatorOptions().setHasText(text);
  }

  private static void enter(Window window, String token) {
    window.page.getByLabel("Token").fill(token);
    window.page.getByText("Go on").click();
  }
}

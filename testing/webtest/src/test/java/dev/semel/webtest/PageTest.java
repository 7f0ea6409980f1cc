package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import dev.semel.idempotency.OperationSetting;
import dev.semel.loop.internal.Loop;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator sees and does, with an application at work. */
@Tag("proof")
@ExtendWith(SharedServices.class)
class PageTest {
  private static final List<String> VIEWS =
      List.of(
          "overview",
          "keys",
          "outbox",
          "inbox",
          "jobs",
          "streams",
          "alerts",
          "audit",
          "settings",
          "health");

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

  private static int executed(Window window) {
    return Integer.parseInt(
        window.page.locator(".tile strong").first().innerText().replace(",", ""));
  }

  @Test
  void overviewFollowsAnApplicationAtWork() throws Exception {
    shop.pay("payments", "first");
    try (Window window = Window.wide(control.address())) {
      window.open("overview");
      window.waitForText("● live");
      window.waitForText("Executed once (24 h)");
      int before = executed(window);
      try (Loop customers = shop.customers()) {
        await().until(() -> executed(window) > before + 5);
        window.page.waitForSelector(".timeline rect.dot.first");
        window.page.waitForSelector(".timeline rect.dot.replayed");
        assertThat(customers).isNotNull();
      }
      window.assertQuiet();
    }
  }

  @Test
  void serverThatGoesAwayShowsAsOfAndComesBackLive() throws Exception {
    shop.pay("payments", "first");
    try (Window window = Window.wide(control.address())) {
      window.open("overview");
      window.waitForText("● live");
      control.awayFor(() -> window.waitForText("○ as of "));
      window.waitForText("● live");
      shop.pay("payments", "after-the-break");
      window.waitForText("after-the-break");
    }
  }

  @Test
  void keysAreSearchedFilteredAndLinkedTo() throws Exception {
    for (String id : List.of("alpha", "beta", "gamma")) {
      shop.pay("payments", id);
    }
    try (Window window = Window.wide(control.address())) {
      window.open("keys");
      window.waitForText("gamma");
      window.page.getByLabel("Search").fill("alp");
      window.page.waitForFunction("() => !document.body.innerText.includes('gamma')");
      assertThat(window.page.locator("tbody tr").count()).isOne();
      assertThat(window.page.url()).endsWith("#/keys?text=alp");
      window.open("keys?state=failed");
      window.waitForText("No such key.");
      window.assertQuiet();
    }
  }

  @Test
  void drawerShowsTheWholeLifeLineAndCopiesAndDeletes() throws Exception {
    shop.pay("payments", "order-9");
    shop.pay("payments", "order-9");
    try (Window window = Window.wide(control.address())) {
      window.open("keys?key=default%2Fpayments%3Aorder-9");
      Locator life = window.page.locator("dialog.drawer .life");
      for (String kind :
          List.of("claimed", "completed", "replayed", "published", "consumed", "expires")) {
        life.locator("strong", new Locator.LocatorOptions().setHasText(kind)).first().waitFor();
      }
      window.page.getByText("Copy as curl").last().click();
      await()
          .untilAsserted(
              () ->
                  assertThat(window.page.evaluate("() => navigator.clipboard.readText()"))
                      .isEqualTo(
                          "curl -s '%s/api/v1/keys/default%%2Fpayments%%3Aorder-9/life-line'"
                              .formatted(control.address())));
      int ran = shop.ran();
      window
          .page
          .getByText("Delete…", new com.microsoft.playwright.Page.GetByTextOptions().setExact(true))
          .click();
      window.waitForText("The next call for it runs again");
      window.page.locator("dialog.question button[type=submit]").click();
      window.waitForText("No such key.");
      shop.pay("payments", "order-9");
      assertThat(shop.ran()).isEqualTo(ran + 1);
      window.assertQuiet();
    }
  }

  @Test
  void deadLetterIsEditedAndRunsInTheWorker() {
    shop.enqueue("customer-7", "{\"customer\":7,\"broken\":true}");
    try (Window window = Window.wide(control.address())) {
      window.open("jobs?state=dead");
      window.waitForText("the printer is out of paper");
      window.open("jobs?state=dead&job=default%2Fexports%3Acustomer-7");
      window.page.getByText("Edit and retry…").click();
      Locator payload = window.page.locator("dialog.question textarea");
      payload.waitFor();
      assertThat(payload.inputValue()).isEqualTo("{\"customer\":7,\"broken\":true}");
      payload.fill("{\"customer\":7,\"mended\":true}");
      window.page.getByText("Retry with this").click();
      await().until(() -> shop.exported.contains("{\"customer\":7,\"mended\":true}"));
      window.open("jobs");
      window.waitForText("COMPLETED");
      window.assertQuiet();
    }
  }

  @Test
  void allDeadLettersGoBackOnceSomeoneWasToldHowMany() {
    for (int i = 0; i < 3; i++) {
      shop.enqueue("customer-" + i, "{\"broken\":" + i + "}");
    }
    await().until(() -> shop.exported.size() == 6);
    try (Window window = Window.wide(control.address())) {
      window.open("jobs?state=dead");
      window.waitForText("customer-2");
      window.page.getByText("Retry all dead letters…").click();
      window.waitForText("3 dead letters of all queues");
      window.page.locator("dialog.question button[type=submit]").click();
      await().until(() -> shop.exported.size() == 12);
      window.assertQuiet();
    }
  }

  @Test
  void settingThatIsChangedReachesTheWorker() throws Exception {
    shop.ask("probes", "one");
    try (Window window = Window.wide(control.address())) {
      window.open("settings?operation=probes");
      window.page.locator("select[name=mode]").selectOption("observe");
      window
          .page
          .getByText("Save", new com.microsoft.playwright.Page.GetByTextOptions().setExact(true))
          .click();
      window.waitForText("probes is at version 1");
      window.waitForText("OBSERVE");
      int ran = shop.ran();
      await()
          .until(
              () -> {
                shop.ask("probes", "one");
                return shop.ran() > ran;
              });
      window.assertQuiet();
    }
  }

  @Test
  void everyViewIsUsableInBothThemesAndNarrow() throws Exception {
    shop.pay("payments", "order-1");
    shop.enqueue("customer-1", "{\"broken\":1}");
    await().until(() -> shop.exported.size() == 2);
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (Window window = Window.wide(control.address(), scheme)) {
        for (String view : VIEWS) {
          shown(window, view);
          assertThat(window.barriers()).as("%s %s", view, scheme).isEmpty();
        }
        window.assertQuiet();
      }
    }
    try (Window window = Window.narrow(control.address())) {
      for (String view : VIEWS) {
        shown(window, view);
        assertThat(window.fits()).as(view).isTrue();
      }
      shown(window, "keys?key=default%2Fpayments%3Aorder-1");
      window.page.waitForSelector("dialog.drawer .life li");
      assertThat(window.fits()).isTrue();
      assertThat(window.barriers()).isEmpty();
    }
  }

  private static void shown(Window window, String view) {
    window.open(view);
    window.page.waitForSelector("main .panel");
    window.waitForText("● live");
  }

  @Test
  void themeIsChosenAndKept() throws Exception {
    try (Window window = Window.wide(control.address(), ColorScheme.DARK)) {
      shown(window, "keys");
      Object dark = background(window);
      window.page.locator("button.pill").first().click();
      Object light = background(window);
      assertThat(light).isNotEqualTo(dark);
      window.page.reload();
      window.page.waitForSelector("main .panel");
      assertThat(background(window)).isEqualTo(light);
    }
  }

  private static Object background(Window window) {
    return window.page.evaluate("() => getComputedStyle(document.body).backgroundColor");
  }

  @Test
  void keyboardAloneOpensAKeyAndClosesItWhereItWas() throws Exception {
    shop.pay("payments", "order-1");
    try (Window window = Window.wide(control.address())) {
      shown(window, "keys");
      window.waitForText("order-1");
      focus(window, "order-1");
      window.page.keyboard().press("Enter");
      window.page.waitForSelector("dialog.drawer .life li");
      assertThat(window.page.evaluate("() => document.activeElement.closest('dialog') !== null"))
          .isEqualTo(true);
      window.page.keyboard().press("Escape");
      window.page.waitForFunction("() => !document.querySelector('dialog.drawer')");
      assertThat(focused(window)).isEqualTo("order-1");
      window.assertQuiet();
    }
  }

  /** Goes there with the tabulator, as who has no mouse does. */
  private static void focus(Window window, String text) {
    for (int i = 0; i < 60; i++) {
      window.page.keyboard().press("Tab");
      if (text.equals(focused(window))) {
        return;
      }
    }
    throw new AssertionError(text + " can't be reached by keyboard");
  }

  private static Object focused(Window window) {
    return window.page.evaluate("() => document.activeElement.innerText");
  }

  @Test
  void hostileNamesAndPayloadsAreText() throws Exception {
    String hostile = "<img src=x onerror=alert(1)>";
    shop.pay("payments", hostile);
    shop.enqueue("<script>alert(2)</script>", "{\"broken\":\"<b onclick=alert(3)>\u202e\"}");
    await().until(() -> shop.exported.size() == 2);
    try (Window window = Window.wide(control.address())) {
      window.page.onDialog(
          dialog -> {
            dialog.dismiss();
            throw new AssertionError("a name was run: " + dialog.message());
          });
      window.open("keys");
      window.waitForText("<img src=x onerror=alert(1)>");
      window.page.locator("td a").first().click();
      window.page.waitForSelector("dialog.drawer .life li");
      window.open("jobs");
      window.waitForText("<script>alert(2)</script>");
      window.waitForText("<b onclick=alert(3)>\\u202e");
      assertThat(window.page.locator("main img, main script, main b").count()).isZero();
      window.open("audit");
      window.waitForText("<img src=x");
      window.assertQuiet();
    }
  }

  /** Names of settings are written down in the page too, because the API does not tell them. */
  @Test
  void everySettingThatAPersonMaySetIsOnThePage() throws Exception {
    try (Window window = Window.wide(control.address())) {
      window.open("settings?operation=anything");
      window.page.waitForSelector("form.settings");
      List<?> names =
          (List<?>)
              window.page.evaluate(
                  "() => [...document.querySelectorAll('form.settings [name]')].map(e => e.name)");
      List<String> known =
          List.of(OperationSetting.values()).stream()
              .filter(
                  each ->
                      each != OperationSetting.OLD_STRATEGY
                          && each != OperationSetting.OLD_STRATEGY_UNTIL)
              .map(OperationSetting::text)
              .toList();
      assertThat(names).isEqualTo(known);
    }
  }
}

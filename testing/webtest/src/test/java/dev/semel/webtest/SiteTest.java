package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import dev.semel.junit.ProjectRoot;
import dev.semel.junit.TestProcess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** The documentation's site as {@code docs/site} builds and serves it. */
@Tag("proof")
class SiteTest {
  private static final String COMMAND = ProjectRoot.resolve("docs/site").toString();

  /** For people to look at. */
  private static final Path PICTURES = Path.of("target/site-pictures");

  private static final List<String> PICTURED =
      List.of("index", "outbox", "README", "web", "reference/configuration", "decisions/index");

  @SuppressWarnings("NullAway.Init")
  private static TestProcess process;

  @SuppressWarnings("NullAway.Init")
  private static URI site;

  @BeforeAll
  static void serve() {
    process = TestProcess.start(List.of(COMMAND, "serve", "--port", "0"));
    // What it downloads and what it builds have a time each.
    process.awaitLine(".*vitepress v.*");
    site = URI.create(process.awaitLine("http://.*"));
  }

  @AfterAll
  static void stop() {
    process.stop();
    process.close();
  }

  @Test
  void everyLinkLeadsSomewhere(TestReporter report) throws Exception {
    SiteCrawl crawl = new SiteCrawl(site);
    crawl.follow();
    report.publishEntry("pages", "" + crawl.pages());
    report.publishEntry("links", "" + crawl.links());
    assertThat(crawl.dead()).isEmpty();
    assertThat(crawl.loadedFromElsewhere()).isEmpty();
    assertThat(crawl.pages()).isGreaterThan(100);
    assertThat(crawl.links()).isGreaterThan(1_000);
  }

  @Test
  void sidebarHasThePartsOfTheIndexAndMarksThePage() throws Exception {
    List<String> parts =
        Files.readAllLines(ProjectRoot.resolve("docs/README.md")).stream()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring("## ".length()))
            .toList();
    try (Window window = wide()) {
      open(window, "outbox.html");
      assertThat(window.page.locator(".VPSidebarItem.level-0 > .item h2").allInnerTexts())
          .isEqualTo(parts);
      assertThat(window.page.locator(".VPSidebarItem.is-active > .item").allInnerTexts())
          .containsExactly("Outbox, relay, inbox");
      window.assertQuiet();
    }
  }

  @Test
  void aSidebarsLinkOpensItsPage() {
    try (Window window = wide()) {
      open(window, "");
      window.page.locator(".VPSidebar").getByText("Settings per operation").click();
      heading(window, "Settings per operation");
      assertThat(window.page.url()).isEqualTo(site + "settings.html");
      window.assertQuiet();
    }
  }

  @Test
  void searchFindsASection() {
    try (Window window = wide()) {
      open(window, "");
      window.page.keyboard().press("/");
      window.page.locator("#localsearch-input").fill("dead letter");
      Locator found = window.page.locator("#localsearch-list a");
      found.first().waitFor();
      String title = found.first().innerText().toLowerCase(Locale.ROOT);
      assertThat(title).contains("dead").contains("letter");
      found.first().click();
      window.page.waitForURL(url -> !url.equals(site.toString()));
      window.assertQuiet();
    }
  }

  @Test
  void themeIsToggledAndStays() {
    try (Window window = wide()) {
      open(window, "tutorial.html");
      assertThat(isDark(window)).isFalse();
      window.page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
      assertThat(isDark(window)).isTrue();
      window.page.reload();
      assertThat(isDark(window)).isTrue();
      open(window, "files/docs/proof-record.tsv.html");
      assertThat(isDark(window)).isTrue();
      window.assertQuiet();
    }
  }

  @Test
  void diagramsAndPicturesShow() {
    try (Window window = wide()) {
      open(window, "transports.html");
      window.page.waitForSelector(".diagram svg .node");
      open(window, "redis-cluster.html");
      window.page.waitForSelector(".diagram svg .actor");
      for (String page : List.of("README.html", "web.html", "multi-region.html", "metrics.html")) {
        open(window, page);
        Object images =
            window.page.evaluate(
                """
                async () => {
                  const all = [...document.querySelectorAll('.vp-doc img')];
                  await Promise.all(all.map(each => each.decode()));
                  return all.length > 0 && all.every(each => each.naturalWidth > 0);
                }
                """);
        assertThat(images).as(page).isEqualTo(true);
      }
      window.assertQuiet();
      // A page that another program wrote: it names no icon, so the browser looks for one.
      open(window, "proof.html");
      window.page.locator(".vp-doc a[href$='proof-report.html']").first().click();
      window.page.waitForURL(site + "files/docs/proof-report.html");
      window.waitForText("Semel");
      assertThat(window.asked()).allSatisfy(url -> assertThat(url).startsWith(site.toString()));
    }
  }

  @Test
  void pagesFitOnATelephone() {
    try (Window window = Window.narrow(site)) {
      for (String page : PICTURED) {
        open(window, page + ".html");
        assertThat(window.fits()).as(page).isTrue();
      }
      window.page.locator(".VPLocalNav .menu").click();
      window.page.locator(".VPSidebar.open").getByText("Glossary").click();
      heading(window, "Glossary");
      window.assertQuiet();
    }
  }

  @Test
  void picturesAreTaken() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : List.of(1280, 400)) {
        try (Window window = Window.of(site, width, 900, scheme)) {
          for (String page : PICTURED) {
            open(window, page + ".html");
            String name = "%s-%s-%d.png".formatted(page.replace('/', '-'), scheme, width);
            window.page.screenshot(
                new ScreenshotOptions().setPath(PICTURES.resolve(name.toLowerCase(Locale.ROOT))));
          }
        }
      }
    }
    assertThat(PICTURES).isDirectoryContaining("glob:**/index-dark-400.png");
  }

  @Test
  void commandSaysWhatIsWrong() {
    assertThat(refusal(List.of("sell"))).contains("there is no sell: see docs/site --help");
    assertThat(refusal(List.of("serve", "--port", "70000"))).contains("invalid port 70000");
    assertThat(TestProcess.run(COMMAND, "--help")).contains("docs/site serve --port 8000");
  }

  @Test
  void commandNamesWhatIsMissing(@TempDir Path empty) {
    ProcessBuilder builder = new ProcessBuilder("/usr/bin/bash", COMMAND, "build");
    builder.environment().put("PATH", empty.toString());
    try (TestProcess without = TestProcess.start(builder)) {
      assertThat(without.await()).isEqualTo(2);
      assertThat(without.output()).contains("node is not on the path: install Node");
    }
  }

  private static String refusal(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(COMMAND));
    command.addAll(arguments);
    try (TestProcess refused = TestProcess.start(command)) {
      assertThat(refused.await()).isEqualTo(2);
      return refused.output();
    }
  }

  private static Window wide() {
    return Window.of(site, 1280, 900, ColorScheme.LIGHT);
  }

  /** Goes there, and waits until the page's own script runs. */
  private static void open(Window window, String path) {
    window.page.navigate(site + path);
    window.page.waitForLoadState(LoadState.NETWORKIDLE);
  }

  private static void heading(Window window, String text) {
    window.page.locator("h1", new Page.LocatorOptions().setHasText(text)).waitFor();
  }

  private static boolean isDark(Window window) {
    return (Boolean)
        window.page.evaluate("() => document.documentElement.classList.contains('dark')");
  }
}

package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A browser's window that writes down what a person would not see: complaints in the console, what
 * the page's policy refused, requests to others. For one thread.
 */
final class Window implements AutoCloseable {
  /** However busy the machine is. */
  static final double PATIENCE_MILLIS = 120_000;

  private final Playwright playwright;
  private final Browser browser;
  private final BrowserContext context;
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final URI server;
  final Page page;

  private Window(URI server, int width, int height, ColorScheme scheme) {
    this.server = server;
    this.playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    this.browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(Chromium.find())
                    .setTimeout(PATIENCE_MILLIS)
                    .setArgs(Chromium.FLAGS));
    this.context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(scheme)
                .setLocale("en-GB")
                .setPermissions(List.of("clipboard-read", "clipboard-write")));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    context.addInitScript(
        "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))");
    this.page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
    page.onRequest(request -> asked.add(request.url()));
  }

  static Window wide(URI server) {
    return new Window(server, 1440, 1000, ColorScheme.DARK);
  }

  static Window wide(URI server, ColorScheme scheme) {
    return new Window(server, 1440, 1000, scheme);
  }

  static Window narrow(URI server) {
    return of(server, 400, 860, ColorScheme.LIGHT);
  }

  static Window of(URI server, int width, int height, ColorScheme scheme) {
    return new Window(server, width, height, scheme);
  }

  /**
   * Goes there.
   *
   * @param view such as {@code keys?text=pay}
   */
  Window open(String view) {
    page.navigate(server + "/#/" + view);
    return this;
  }

  void waitForText(String text) {
    page.waitForFunction(
        "text => document.body.innerText.includes(text)",
        text,
        new Page.WaitForFunctionOptions().setTimeout(PATIENCE_MILLIS));
  }

  /** The whole addresses that the page asked for. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  /** Nothing was refused or broke, and nobody else was asked. */
  void assertQuiet() {
    assertThat(complaints).isEmpty();
    assertThat(asked).allSatisfy(url -> assertThat(url).startsWith(server.toString()));
  }

  /** The serious findings of an accessibility check of what is shown now. */
  List<String> barriers() {
    page.evaluate(axe());
    Object found =
        page.evaluate(
            """
            async () => (await axe.run(document)).violations
              .filter(each => each.impact === 'serious' || each.impact === 'critical')
              .map(each => each.id + ': ' + each.nodes.slice(0, 3).map(n => n.target.join(' ') + ' ' + n.failureSummary).join(' | '))
            """);
    return ((List<?>) found).stream().map(String::valueOf).toList();
  }

  private static String axe() {
    try (InputStream in = Window.class.getResourceAsStream("/axe/axe.min.js")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean fits() {
    return (Boolean)
        page.evaluate(
            "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth");
  }

  @Override
  public void close() {
    context.close();
    browser.close();
    playwright.close();
  }
}

package dev.semel.server.subscription.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WebhookUrlTest {
  private static void refused(String url, boolean loopback) {
    assertThatThrownBy(() -> WebhookUrl.parse(url, loopback))
        .as(url)
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("webhook.url ");
  }

  private static List<InetAddress> addresses(String... texts) {
    List<InetAddress> addresses = new ArrayList<>();
    for (String text : texts) {
      try {
        addresses.add(InetAddress.getByName(text));
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }
    return addresses;
  }

  @Test
  void publicAddressesWithTlsAreTaken() {
    assertThat(WebhookUrl.parse("https://worker.example/hooks?a=b", false))
        .isEqualTo(new WebhookUrl(true, "worker.example", 443, "/hooks?a=b"));
    assertThat(WebhookUrl.parse("HTTPS://Worker.Example:8443", false))
        .isEqualTo(new WebhookUrl(true, "worker.example", 8443, "/"));
    assertThat(WebhookUrl.parse("https://93.184.216.34/x", false).host())
        .isEqualTo("93.184.216.34");
    assertThat(WebhookUrl.parse("https://[2606:2800:220:1::1]/x", false).host())
        .isEqualTo("2606:2800:220:1::1");
  }

  @Test
  void whatOnlyWeCanReachIsRefused() {
    for (String host :
        List.of(
            "localhost",
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.100.100.200",
            "168.63.129.16",
            "192.0.0.192",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[::ffff:10.0.0.1]",
            "[::10.0.0.1]",
            "[64:ff9b::a00:1]",
            "[2002:a00:1::1]",
            "[2001:0:a00:1::1]",
            "[ff02::1]")) {
      refused("https://" + host + "/hook", false);
      refused("http://" + host + "/hook", false);
    }
    refused("http://10.0.0.1/hook", true);
    refused("https://169.254.169.254/latest", true);
  }

  @Test
  void withoutTlsOnlyThisMachineIsCalledAndOnlyIfAllowed() {
    refused("http://worker.example/hooks", false);
    refused("http://worker.example/hooks", true);
    assertThat(WebhookUrl.parse("http://localhost:8080/x", true).port()).isEqualTo(8080);
    assertThat(WebhookUrl.parse("http://127.0.0.1/x", true).tls()).isFalse();
    assertThat(WebhookUrl.parse("http://[::1]:1/x", true).host()).isEqualTo("::1");
  }

  @Test
  void whatIsNoAddressIsRefused() {
    for (String url :
        List.of(
            "",
            "worker.example",
            "ftp://worker.example/",
            "file:///etc/passwd",
            "https:///x",
            "https://user:secret@worker.example/",
            "https://worker.example/#part",
            "https://worker.example:0/",
            "https://worker.example:70000/",
            "https://2130706433/",
            "https://127.1/",
            "https://0177.0.0.1/",
            "https://a b/",
            "https://worker.example/" + "x".repeat(WebhookUrl.MAX_LENGTH))) {
      refused(url, true);
    }
  }

  @Test
  void aRefusalDoesNotRepeatTheAddress() {
    assertThatThrownBy(() -> WebhookUrl.parse("http://worker.example/?token=secret", false))
        .hasMessageNotContaining("secret");
  }

  @Test
  void aNameIsAsGoodAsTheAddressesBehindIt() {
    WebhookUrl url = WebhookUrl.parse("https://worker.example/", false);
    assertThat(url.choose(addresses("93.184.216.34"), false).getHostAddress())
        .isEqualTo("93.184.216.34");
    assertThatThrownBy(() -> url.choose(addresses("93.184.216.34", "10.0.0.1"), false))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> url.choose(addresses("127.0.0.1"), false))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> url.choose(addresses("169.254.169.254"), true))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> url.choose(List.of(), true)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void withoutTlsANameMustStandForThisMachineAlone() {
    WebhookUrl url = WebhookUrl.parse("http://localhost/", true);
    assertThat(url.choose(addresses("127.0.0.1", "::1"), true).isLoopbackAddress()).isTrue();
    assertThatThrownBy(() -> url.choose(addresses("93.184.216.34"), true))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> url.choose(addresses("127.0.0.1"), false))
        .isInstanceOf(InvalidInput.class);
  }
}

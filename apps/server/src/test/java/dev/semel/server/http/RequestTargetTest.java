package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import org.junit.jupiter.api.Test;

class RequestTargetTest {
  @Test
  void pathAndQueryAreTakenApart() {
    assertThat(RequestTarget.parse("/a/b?x=1")).isEqualTo(new RequestTarget("/a/b", "x=1"));
    assertThat(RequestTarget.parse("/a")).isEqualTo(new RequestTarget("/a", ""));
    assertThat(RequestTarget.parse("/a?")).isEqualTo(new RequestTarget("/a", ""));
    assertThat(RequestTarget.parse("HTTP://host:1/a?b")).isEqualTo(new RequestTarget("/a", "b"));
    for (String bad : new String[] {"", "a", "http://host", "/a#b", "?x"}) {
      assertThatThrownBy(() -> RequestTarget.parse(bad)).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void parametersAreFoundByTheirWholeName() {
    RequestTarget target = new RequestTarget("/", "offsets=1&offset=a%2Cb+c&xoffset=2&empty=&bare");
    assertThat(target.parameter("offset")).isEqualTo("a,b c");
    assertThat(target.parameter("empty")).isEmpty();
    assertThat(target.parameter("bare")).isEmpty();
    assertThat(target.parameter("off")).isNull();
    assertThat(target.parameter("b")).isNull();
  }

  @Test
  void aParameterThatStandsThereTwiceOrIsBrokenIsRefused() {
    assertThatThrownBy(() -> new RequestTarget("/", "a=1&a=1").parameter("a"))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new RequestTarget("/", "a=%f").parameter("a"))
        .isInstanceOf(InvalidInput.class);
    assertThat(new RequestTarget("/", "a=%f&b=1").parameter("b")).isEqualTo("1");
  }

  @Test
  void pathsAreDecodedStrictly() {
    assertThat(new RequestTarget("/s/a%20b/%C3%A4+", "").below(3)).isEqualTo("a b/ä+");
    for (String bad : new String[] {"a%2Fb", "a%2fb", "%", "%1", "%gg", "%ff", "%ed%a0%80", "é"}) {
      assertThatThrownBy(() -> new RequestTarget("/s/" + bad, "").below(3))
          .as(bad)
          .isInstanceOf(InvalidInput.class);
    }
  }
}

package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Live events. */
class LiveEventsTest {
  private static final Pattern COUNT = Pattern.compile("\\{\"count\":(\\d+)\\}");

  /** More than fits into the feed and all buffers on the way together. */
  private static final int MANY = 80_000;

  /** A reader of live events that reads only on request. */
  private static final class Follower implements AutoCloseable {
    private final InputStream in;
    private final BufferedReader lines;
    private String lastId = "";

    private Follower(InputStream in) {
      this.in = in;
      this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    static Follower of(Administered served, String... headers) throws Exception {
      Follower follower = new Follower(served.open("/api/v1/events", headers).body());
      assertThat(follower.lines.readLine()).isEqualTo(": live");
      return follower;
    }

    /** The next event's data. */
    String next() throws IOException {
      while (true) {
        String line = lines.readLine();
        if (line.startsWith("id: ")) {
          lastId = line.substring(4);
        } else if (line.startsWith("data: ")) {
          return line.substring(6);
        }
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  @Test
  void whoFollowsSeesWhatComesFromThenOnAndGoesOnWhereItStopped() throws Exception {
    try (Administered served = Administered.start()) {
      served.log(3);
      String last;
      try (Follower follower = Follower.of(served)) {
        served.log(5);
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          seen.add(follower.next());
        }
        assertThat(seen)
            .allMatch(data -> data.contains("\"kind\":\"changed\""))
            .extracting(data -> data.replaceAll(".*\"number\":(\\d+).*", "$1"))
            .containsExactly("4", "5", "6");
        last = follower.lastId;
      }
      served.log(2);
      try (Follower back = Follower.of(served, "Last-Event-ID", last)) {
        served.log(1);
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          numbers.add(back.next().replaceAll(".*\"number\":(\\d+).*", "$1"));
        }
        assertThat(numbers).containsExactly("7", "8", "9", "10", "11");
      }
      assertThat(served.get("/api/v1/events", "Last-Event-ID", "nonsense").statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void slowReaderLosesEventsIsToldHowManyAndHoldsNobodyUp() throws Exception {
    try (Administered served = Administered.start();
        Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), served.server.port()));
      slow.getOutputStream()
          .write(
              "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      Follower behind = new Follower(slow.getInputStream());
      while (!behind.lines.readLine().equals(": live")) {
        // until it follows
      }
      try (Follower quick = Follower.of(served)) {
        // In parts that the fast reader has read before the next one, so that it never falls
        // behind.
        for (int written = 0; written < MANY; written += 4000) {
          served.log(4000);
          for (int i = 0; i < 4000; i++) {
            assertThat(quick.next()).contains("\"kind\"");
          }
        }
      }
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);

      long at = 0;
      long skipped = 0;
      while (at < MANY) {
        String data = behind.next();
        Matcher count = COUNT.matcher(data);
        if (count.matches()) {
          at += Long.parseLong(count.group(1));
          skipped += Long.parseLong(count.group(1));
        } else {
          at++;
          assertThat(data).contains("\"number\":" + at + ",");
        }
      }
      assertThat(skipped).isPositive();
    }
  }

  @Test
  void serverThatEndsLetsThemGo() throws Exception {
    Administered served = Administered.start();
    try (Follower follower = Follower.of(served)) {
      served.close();
      await().until(() -> follower.lines.readLine() == null);
    }
  }
}

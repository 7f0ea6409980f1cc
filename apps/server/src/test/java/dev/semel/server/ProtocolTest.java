package dev.semel.server;

import static dev.semel.server.Served.JSON;
import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our additions to the protocol; {@link ConformanceTest} checks the protocol itself. */
@Tag("service")
class ProtocolTest {
  private static Served served;

  @BeforeAll
  static void start() {
    served = Served.start();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  /** Requests of one producer on several connections. */
  @Nested
  class BeforeItsTurn {
    private CompletableFuture<HttpResponse<String>> send(String path, String body, int seq) {
      return served.sendLater(
          "POST",
          "/v1/stream/" + path,
          body,
          "Content-Type",
          TEXT,
          "Producer-Id",
          "p",
          "Producer-Epoch",
          "1",
          "Producer-Seq",
          Integer.toString(seq));
    }

    /** Pauses of the machine may make some miss the moment, or let the second overtake. */
    @Test
    void oneThatIsEarlyWaitsForThoseBeforeIt() throws Exception {
      int waited = 0;
      for (int round = 0; round < 100 && waited < 20; round++) {
        String path = "early/" + round;
        served.put(path, TEXT, "");
        send(path, "a", 0).join();
        try (RawClient third = new RawClient(served.server.port())) {
          third.send(
              """
              POST /v1/stream/%s HTTP/1.1\r
              Host: localhost\r
              Content-Type: %s\r
              Producer-Id: p\r
              Producer-Epoch: 1\r
              Producer-Seq: 2\r
              Content-Length: 1\r
              \r
              c"""
                  .formatted(path, TEXT));
          for (int i = 0; i < 3; i++) {
            served.get("/v1/stream/" + path); // by then the third has arrived
          }
          assertThat(send(path, "b", 1).join().statusCode()).isEqualTo(200);
          if (third.line().contains(" 200 ")) {
            assertThat(served.get("/v1/stream/" + path).body()).isEqualTo("abc");
            waited++;
          }
        }
      }
      assertThat(waited).isEqualTo(20);
    }

    @Test
    void oneWhoseTurnDoesNotComeIsTold() {
      served.put("early/gap", TEXT, "");
      HttpResponse<String> gap = send("early/gap", "b", 1).join();
      assertThat(gap.statusCode()).isEqualTo(409);
      assertThat(header(gap, "Producer-Expected-Seq")).isEqualTo("0");
      assertThat(served.get("/v1/stream/early/gap").body()).isEmpty();
    }

    @Test
    void ofTwoThatAreTheSameOneIsWritten() {
      served.put("early/twice", TEXT, "");
      send("early/twice", "a", 0).join();
      CompletableFuture<HttpResponse<String>> one = send("early/twice", "c", 2);
      CompletableFuture<HttpResponse<String>> other = send("early/twice", "c", 2);
      send("early/twice", "b", 1).join();
      assertThat(one.join().statusCode()).isIn(200, 204, 409);
      assertThat(other.join().statusCode()).isIn(200, 204, 409);
      assertThat(served.get("/v1/stream/early/twice").body()).isIn("ab", "abc");
    }
  }

  @Nested
  class IfMatch {
    @Test
    void appendsOnlyAtTheTailThatTheWriterKnows() {
      String tail = header(served.put("occ/tail", TEXT, "one"), "Stream-Next-Offset");
      HttpResponse<String> first =
          served.post("occ/tail", TEXT, "two", "If-Match", '"' + tail + '"');
      assertThat(first.statusCode()).isEqualTo(204);
      String moved = header(first, "Stream-Next-Offset");
      assertThat(header(first, "ETag")).isEqualTo('"' + moved + '"');
      HttpResponse<String> second =
          served.post("occ/tail", TEXT, "three", "If-Match", '"' + tail + '"');
      assertThat(second.statusCode()).isEqualTo(412);
      assertThat(header(second, "ETag")).isEqualTo('"' + moved + '"');
      assertThat(header(second, "Stream-Next-Offset")).isEqualTo(moved);
      assertThat(served.get("/v1/stream/occ/tail").body()).isEqualTo("onetwo");
    }

    @Test
    void whatIsNoSingleOffsetIsMalformed() {
      String tail = header(served.put("occ/bad", TEXT, "one"), "Stream-Next-Offset");
      for (String bad : new String[] {"*", tail, "W/\"" + tail + '"', "\"1\"", "\"\""}) {
        assertThat(served.post("occ/bad", TEXT, "two", "If-Match", bad).statusCode())
            .as(bad)
            .isEqualTo(400);
      }
    }

    @Test
    void aProducersRepetitionIsToldAsOneThoughTheTailHasMoved() {
      String tail = header(served.put("occ/both", TEXT, "one"), "Stream-Next-Offset");
      String[] headers = {
        "If-Match", '"' + tail + '"', "Producer-Id", "p", "Producer-Epoch", "0", "Producer-Seq", "0"
      };
      assertThat(served.post("occ/both", TEXT, "two", headers).statusCode()).isEqualTo(200);
      assertThat(served.post("occ/both", TEXT, "two", headers).statusCode()).isEqualTo(204);
    }
  }

  @Nested
  class OlderDialect {
    private HttpResponse<String> append(String stream, String body, String seq, String... more) {
      String[] headers = new String[more.length + 4];
      headers[0] = "X-Producer-Id";
      headers[1] = "p";
      headers[2] = "X-Producer-Seq";
      headers[3] = seq;
      System.arraycopy(more, 0, headers, 4, more.length);
      return served.post(stream, TEXT, body, headers);
    }

    @Test
    void freshDuplicateAndGap() {
      served.put("older/a", TEXT, "");
      HttpResponse<String> fresh = append("older/a", "one", "0");
      assertThat(fresh.statusCode()).isEqualTo(201);
      assertThat(header(fresh, "X-Producer-Epoch")).isEqualTo("1");
      assertThat(append("older/a", "one", "0").statusCode()).isEqualTo(204);
      HttpResponse<String> gap = append("older/a", "three", "2");
      assertThat(gap.statusCode()).isEqualTo(409);
      assertThat(header(gap, "X-Expected-Seq")).isEqualTo("1");
      assertThat(served.get("/v1/stream/older/a").body()).isEqualTo("one");
    }

    @Test
    void aRestartFencesTheEarlierLife() {
      served.put("older/b", TEXT, "");
      append("older/b", "one", "0");
      assertThat(header(append("older/b", "other", "0"), "X-Producer-Epoch")).isEqualTo("2");
      HttpResponse<String> late = append("older/b", "late", "1", "X-Producer-Epoch", "1");
      assertThat(late.statusCode()).isEqualTo(403);
      assertThat(header(late, "X-Error")).isEqualTo("stale-epoch");
      assertThat(header(late, "X-Current-Epoch")).isEqualTo("2");
    }

    @Test
    void bothDialectsAtOnceAreMalformed() {
      served.put("older/c", TEXT, "");
      HttpResponse<String> both =
          append(
              "older/c",
              "one",
              "0",
              "Producer-Id",
              "p",
              "Producer-Epoch",
              "0",
              "Producer-Seq",
              "0");
      assertThat(both.statusCode()).isEqualTo(400);
      assertThat(append("older/c", "one", "x").statusCode()).isEqualTo(400);
    }
  }

  @Nested
  class Operators {
    @Test
    void seeStreamsPageByPage() {
      for (String name : new String[] {"a", "b", "c"}) {
        served.put("listed/" + name, JSON, "");
      }
      String first = served.get("/api/v1/streams?prefix=listed/&limit=2").body();
      assertThat(first)
          .contains("listed/a", "listed/b", "\"next\":\"listed/b\"")
          .contains("\"content_type\":\"application/json\"")
          .as("the older spelling")
          .contains("\"contentType\":\"application/json\"");
      String second = served.get("/api/v1/streams?prefix=listed%2F&after=listed/b").body();
      assertThat(second).contains("listed/c").doesNotContain("listed/b", "next");
      assertThat(served.get("/api/v1/streams?limit=0").statusCode()).isEqualTo(400);
    }

    @Test
    void aRestartedProducerLearnsWhereItWas() {
      served.put("producers/a", TEXT, "");
      String[] producer = {"Producer-Id", "w-1", "Producer-Epoch", "3", "Producer-Seq", "0"};
      served.post("producers/a", TEXT, "x", producer);
      assertThat(served.get("/api/v1/producers?stream=producers/a").body())
          .contains("\"id\":\"w-1\"", "\"managed\":false", "\"epoch\":3", "\"last_seq\":0")
          .contains("\"last_used\":\"")
          .as("the older spelling")
          .contains("\"lastSeq\":0", "\"lastUsed\":\"");
      assertThat(served.get("/api/v1/producers").statusCode()).isEqualTo(400);
    }

    @Test
    void fencingShutsAProducerOut() {
      served.put("producers/b", TEXT, "");
      served.post(
          "producers/b", TEXT, "x", "Producer-Id", "w", "Producer-Epoch", "0", "Producer-Seq", "0");
      HttpResponse<String> fenced =
          served.send(
              "POST",
              "/api/v1/producers/fence",
              "{\"stream\":\"producers/b\",\"id\":\"w\",\"epoch\":1}");
      assertThat(fenced.body()).isEqualTo("{\"fenced\":true}");
      HttpResponse<String> late =
          served.post(
              "producers/b",
              TEXT,
              "y",
              "Producer-Id",
              "w",
              "Producer-Epoch",
              "0",
              "Producer-Seq",
              "1");
      assertThat(late.statusCode()).isEqualTo(403);
      assertThat(header(late, "Producer-Epoch")).isEqualTo("1");
      for (String bad :
          new String[] {"", "[]", "{\"stream\":\"a\",\"id\":\"b\",\"epoch\":1.5}", "{"}) {
        assertThat(served.send("POST", "/api/v1/producers/fence", bad).statusCode()).isEqualTo(400);
      }
    }
  }

  @Test
  void errorsAreProblemDocuments() {
    HttpResponse<String> missing = served.get("/v1/stream/nobody/made/this");
    assertThat(header(missing, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(missing.body())
        .isEqualTo(
            "{\"type\":\"urn:semel:problem:no-such-stream\",\"title\":\"No such stream\",\"status\":404,"
                + "\"detail\":\"there is no stream here: create it with PUT\"}");
    assertThat(served.send("PATCH", "/v1/stream/a", "x").statusCode()).isEqualTo(405);
    assertThat(served.get("/elsewhere").statusCode()).isEqualTo(404);
    assertThat(served.get("/v1/stream/__ds/elsewhere").statusCode()).isEqualTo(404);
    assertThat(served.get("/v1/stream/a?offset=-1&live=always").statusCode()).isEqualTo(400);
  }

  @Test
  void namesMayHoldWhateverCanBeEncoded() {
    assertThat(served.put("%C3%A4%20%F0%9F%8C%8D+%25", TEXT, "here").statusCode()).isEqualTo(201);
    assertThat(served.get("/v1/stream/%c3%a4%20%f0%9f%8c%8d+%25").body()).isEqualTo("here");
    assertThat(served.get("/api/v1/streams?prefix=%C3%A4").body()).contains("ä 🌍+%");
  }

  @Test
  void anotherStreamOnTheSamePathHasAnotherTag() {
    served.put("etag", TEXT, "same");
    String first = header(served.get("/v1/stream/etag"), "ETag");
    served.send("DELETE", "/v1/stream/etag", "");
    served.put("etag", TEXT, "same");
    HttpResponse<String> again = served.get("/v1/stream/etag", "If-None-Match", first);
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(served.get("/v1/stream/etag", "If-None-Match", header(again, "ETag")).statusCode())
        .isEqualTo(304);
  }

  @Test
  void aReadThatReachesAnOpenTailIsAskedForAgainAndOthersMayBeKept() {
    served.put("cached", TEXT, "x");
    assertThat(header(served.get("/v1/stream/cached"), "Cache-Control")).contains("no-cache");
    served.send("POST", "/v1/stream/cached", "", "Stream-Closed", "true");
    assertThat(header(served.get("/v1/stream/cached"), "Cache-Control")).contains("max-age=60");
  }

  @Test
  void cachesThatManyShareKeepNothingUnlessTheyMay() {
    served.put("mine", TEXT, "x");
    assertThat(header(served.get("/v1/stream/mine"), "Cache-Control")).startsWith("private");
    ServerSettings settings = Served.settings();
    try (Served open = Served.with(settings.withServing(settings.serving().withShared(true)))) {
      open.put("ours", TEXT, "x");
      assertThat(header(open.get("/v1/stream/ours"), "Cache-Control")).startsWith("public");
    }
  }

  @Test
  void healthAndReadiness() {
    assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
    assertThat(served.get("/readyz").body()).isEqualTo("{\"status\":\"ready\"}");
  }

  /** In every kind of answer to a reader: data must not run in the control center's origin. */
  @Test
  void whatIsReadIsSandboxedAndActiveTypesAreAttachments() {
    for (String type : new String[] {"text/html", TEXT}) {
      String path = "shown/" + type;
      String attachment = type.equals(TEXT) ? "" : "attachment";
      served.put(path, type, "<script>alert(1)</script>");
      String address = "/v1/stream/" + path;
      for (HttpResponse<String> answer :
          List.of(
              served.get(address),
              served.get(address + "?offset=-1&live=long-poll"),
              served.send("HEAD", address, ""))) {
        assertThat(header(answer, "Content-Security-Policy")).isEqualTo("sandbox");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "Content-Disposition")).isEqualTo(attachment);
      }
      served.post(path, type, "", "Stream-Closed", "true");
      for (String query : new String[] {"?offset=-1&live=sse", "?offset=now", "?offset=broken"}) {
        HttpResponse<String> answer = served.get(address + query);
        assertThat(header(answer, "Content-Security-Policy")).as(query).isEqualTo("sandbox");
        assertThat(header(answer, "X-Content-Type-Options")).as(query).isEqualTo("nosniff");
      }
    }
    assertThat(header(served.get("/v1/stream/nowhere"), "Content-Security-Policy"))
        .isEqualTo("sandbox");
  }
}

package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("service")
@Timeout(600)
class ClientAdapterTest {
  @TempDir Path folder;

  private final MemoryStreams engine = new MemoryStreams(InstantSource.system());
  private SemelServer server;
  private Examined client;

  @BeforeEach
  void start() throws IOException {
    server =
        SemelServer.start(
            ServerSettings.defaults()
                .withAddress("127.0.0.1", 0)
                .withLongPoll(Duration.ofMillis(200)),
            ServerBackend.of(engine));
    client = new Examined(folder);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    engine.close();
  }

  private Examined.Answer init(String url) throws IOException {
    return client.done("{'type':'init','serverUrl':'%s'}".formatted(url));
  }

  private Examined.Answer init() throws IOException {
    return init("http://127.0.0.1:%d/v1/stream".formatted(server.port()));
  }

  private void created(String path, String type) throws IOException {
    client.done("{'type':'create','path':'%s','contentType':'%s'}".formatted(path, type));
  }

  private Examined.Answer append(String path, String data) throws IOException {
    return client.done("{'type':'append','path':'%s','data':'%s'}".formatted(path, data));
  }

  private void refused(String command, String code, String status) throws IOException {
    Examined.Answer answer = client.ask(command);
    assertThat(answer.get("type")).isEqualTo("error");
    assertThat(answer.get("success")).isEqualTo("false");
    assertThat(answer.get("errorCode")).as(answer.toString()).isEqualTo(code);
    assertThat(answer.get("status")).as(answer.toString()).isEqualTo(status);
    assertThat(command).contains("'type':'" + answer.get("commandType") + "'");
  }

  @Test
  void aLifeOfAStreamIsToldStepByStep() throws Exception {
    Examined.Answer init = init();
    assertThat(init.get("clientName")).isEqualTo("semel");
    assertThat(init.get("clientVersion")).isEqualTo(SemelVersion.number());
    assertThat(init.get("features.dynamicHeaders")).isEqualTo("true");
    assertThat(init.get("features.retryOptions")).isEqualTo("-");

    String create = "{'type':'create','path':'/a','contentType':'text/plain','ttlSeconds':60}";
    assertThat(client.done(create).get("status")).isEqualTo("201");
    assertThat(client.done(create).get("status")).isEqualTo("200");
    String tail = append("/a", "one").get("offset");
    client.done("{'type':'append','path':'/a','data':'dHdv','binary':true}");
    Examined.Answer head = client.done("{'type':'head','path':'/a'}");
    assertThat(head.get("contentType")).isEqualTo("text/plain");
    assertThat(head.get("ttlSeconds")).isEqualTo("60");
    assertThat(head.get("streamClosed")).isEqualTo("false");
    assertThat(client.done("{'type':'connect','path':'/a'}").get("offset"))
        .isEqualTo(head.get("offset"));

    Examined.Answer all = client.done("{'type':'read','path':'/a'}");
    assertThat(all.get("chunks")).contains("\"data\":\"onetwo\"");
    assertThat(all.get("offset")).isEqualTo(head.get("offset"));
    assertThat(all.get("upToDate")).isEqualTo("true");
    Examined.Answer rest =
        client.done("{'type':'read','path':'/a','live':false,'offset':'%s'}".formatted(tail));
    assertThat(rest.get("chunks")).contains("\"data\":\"two\"");

    Examined.Answer closed = client.done("{'type':'close','path':'/a','data':'end'}");
    assertThat(closed.get("type")).isEqualTo("close");
    assertThat(closed.get("finalOffset")).isNotEqualTo("-").isNotEqualTo(head.get("offset"));
    assertThat(client.done("{'type':'server-close','path':'/a'}").get("finalOffset"))
        .isEqualTo(closed.get("finalOffset"));
    assertThat(client.done("{'type':'read','path':'/a'}").get("streamClosed")).isEqualTo("true");
    assertThat(client.done("{'type':'delete','path':'/a'}").get("status")).isEqualTo("200");
    refused("{'type':'head','path':'/a'}", "NOT_FOUND", "404");
    client.done("{'type':'shutdown'}");
    assertThat(client.silent()).isTrue();
    assertThat(client.ended()).isEqualTo(ExitCode.OK);
    assertThat(client.err()).isEmpty();
  }

  @Test
  void everyRefusalHasItsNameAndNamesTheStream() throws Exception {
    init();
    created("/a", "text/plain");
    for (String type : new String[] {"head", "connect", "delete", "read", "close"}) {
      refused("{'type':'%s','path':'/none'}".formatted(type), "NOT_FOUND", "404");
    }
    refused("{'type':'append','path':'/none','data':'x'}", "NOT_FOUND", "404");
    refused("{'type':'create','path':'/a','contentType':'image/png'}", "CONFLICT", "409");
    refused("{'type':'read','path':'/a','offset':'no-offset'}", "INVALID_OFFSET", "400");
    client.done("{'type':'append','path':'/a','data':'x','seq':5}");
    refused("{'type':'append','path':'/a','data':'x','seq':5}", "SEQUENCE_CONFLICT", "409");
    refused("{'type':'append','path':'/a','data':''}", "INVALID_ARGUMENT", "-");
    refused(
        "{'type':'create','path':'/b','ttlSeconds':1,'expiresAt':'2030-01-31T12:00:00Z'}",
        "INVALID_ARGUMENT",
        "-");
    client.done("{'type':'close','path':'/a'}");
    refused("{'type':'append','path':'/a','data':'x'}", "STREAM_CLOSED", "409");
    assertThat(client.ask("{'type':'head','path':'/none?token=secret'}").get("message"))
        .startsWith("/none: ")
        .doesNotContain("secret");
    init("http://127.0.0.1:1");
    refused("{'type':'head','path':'/a'}", "NETWORK_ERROR", "-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello",
        "[]",
        "{}",
        "{'type':1}",
        "{'type':'init'",
        "'init'",
        "\u0001",
        "{\u0000}"
      })
  void lineThatIsNoCommandIsAnsweredAndTheNextOneIsDone(String line) throws Exception {
    Examined.Answer answer = client.ask(line);
    assertThat(answer.get("errorCode")).isEqualTo("PARSE_ERROR");
    assertThat(answer.get("commandType")).isEqualTo("unknown");
    init();
  }

  @Test
  void lineBeyondTheLimitIsSkippedAsAWhole() throws Exception {
    String line = "{\"type\":\"" + "x".repeat(5 << 20) + "\"}";
    assertThat(client.askRaw(line).get("message")).contains("longer than 4194304 bytes");
    init();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'type':'dance'} | NOT_SUPPORTED",
        "{'type':'init'} | INVALID_ARGUMENT",
        "{'type':'init','serverUrl':'ftp://me:secret@there'} | INVALID_ARGUMENT",
        "{'type':'create'} | INVALID_ARGUMENT",
        "{'type':'create','path':'a'} | INVALID_ARGUMENT",
        "{'type':'create','path':'/a b'} | INVALID_ARGUMENT",
        "{'type':'create','path':'/a','contentType':'text'} | INVALID_ARGUMENT",
        "{'type':'append','path':'/a','data':7} | INVALID_ARGUMENT",
        "{'type':'append','path':'/a','data':'?','binary':true} | INVALID_ARGUMENT",
        "{'type':'append','path':'/a','data':'x','headers':{'X':'\\u00e9'}} | INVALID_ARGUMENT",
        "{'type':'read','path':'/a','live':'maybe'} | INVALID_ARGUMENT",
        "{'type':'read','path':'/a','timeoutMs':0} | INVALID_ARGUMENT",
        "{'type':'read','path':'/a','maxChunks':1e30} | INVALID_ARGUMENT",
        "{'type':'idempotent-append-batch','path':'/a','producerId':'p','items':[]} | INVALID_ARGUMENT",
        "{'type':'set-dynamic-header','name':'X','valueType':'dice'} | INVALID_ARGUMENT",
        "{'type':'validate','target':{'target':'retry-options'}} | NOT_SUPPORTED",
        "{'type':'validate','target':{'target':'idempotent-producer','epoch':-1}} | INVALID_ARGUMENT",
        "{'type':'validate','target':{'target':'idempotent-producer','maxBatchBytes':0}} | INVALID_ARGUMENT",
        "{'type':'validate','target':{'target':'idempotent-producer','producerId':''}} | INVALID_ARGUMENT",
        "{'type':'benchmark','iterationId':'i','operation':{'op':'nap','path':'/a'}} | NOT_SUPPORTED",
      })
  void commandThatCannotBeDoneIsAnsweredWithItsReason(String command, String code)
      throws Exception {
    init();
    Examined.Answer answer = client.ask(command);
    assertThat(answer.get("errorCode")).as(answer.toString()).isEqualTo(code);
    assertThat(answer.get("message")).doesNotContain("secret");
    init();
  }

  @Test
  void nothingIsDoneBeforeInit() throws Exception {
    refused("{'type':'head','path':'/a'}", "INVALID_ARGUMENT", "-");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "'long-poll'", "'sse'"})
  void liveReadEndsWhenItIsUpToDateHasEnoughOrNoTime(String live) throws Exception {
    init();
    created("/a", "application/json");
    append("/a", "{\\\"n\\\": [1, 2]}");
    append("/a", "\\\"\u2028 x\\\"");
    String read = "{'type':'read','path':'/a','live':%s,".formatted(live);
    Examined.Answer all = client.done(read + "'waitForUpToDate':true}");
    assertThat(all.get("chunks")).contains("[{\\\"n\\\":[1,2]},\\\"\\u2028 x\\\"]");
    assertThat(all.get("upToDate")).isEqualTo("true");
    assertThat(client.done(read + "'maxChunks':1}").get("status")).isEqualTo("200");
    Examined.Answer none =
        client.done(read + "'timeoutMs':300,'offset':'%s'}".formatted(all.get("offset")));
    assertThat(none.get("chunks")).isEqualTo("[]");
    assertThat(none.get("upToDate")).isEqualTo("true");
    assertThat(none.get("offset")).isEqualTo(all.get("offset"));
    client.done("{'type':'close','path':'/a'}");
    assertThat(client.done(read + "'timeoutMs':50000}").get("streamClosed")).isEqualTo("true");
  }

  @Test
  void bytesThatAreNoTextComeAsBase64() throws Exception {
    init();
    created("/a", "application/octet-stream");
    client.done("{'type':'append','path':'/a','data':'AP/+','binary':true}");
    Examined.Answer read = client.done("{'type':'read','path':'/a'}");
    assertThat(read.get("chunks")).contains("\"data\":\"AP/+\",\"binary\":true");
  }

  @Test
  void producersCountOnAndAnOldEpochIsFenced() throws Exception {
    init();
    created("/a", "application/json");
    String append =
        "{'type':'idempotent-append','path':'/a','producerId':'p','epoch':%d,"
            + "'autoClaim':%s,'data':'%d'}";
    assertThat(client.done(append.formatted(1, false, 1)).get("producerSeq")).isEqualTo("0");
    assertThat(client.done(append.formatted(1, false, 2)).get("producerSeq")).isEqualTo("1");
    client.done(append.formatted(2, false, 3));
    Examined.Answer fenced = client.ask(append.formatted(1, false, 4));
    assertThat(fenced.get("status")).isEqualTo("403");
    assertThat(fenced.get("details.failure")).isEqualTo("Fenced");
    assertThat(fenced.get("details.currentEpoch")).isEqualTo("2");
    assertThat(fenced.get("details.inDoubt")).isEqualTo("false");
    client.done(append.formatted(0, true, 5));
    String batch =
        "{'type':'idempotent-append-batch','path':'/a','producerId':'q','epoch':0,"
            + "'autoClaim':false,'maxInFlight':5,'items':['6','[7,8]','9']}";
    assertThat(client.done(batch).get("producerSeq")).isEqualTo("2");
    assertThat(client.ask(batch).get("details.failure")).isEqualTo("EpochTaken");
    assertThat(client.done("{'type':'read','path':'/a'}").get("chunks"))
        .contains("[1,2,3,5,6,[7,8],9]");
    client.done("{'type':'idempotent-close','path':'/a','producerId':'r','data':'10'}");
    refused(
        "{'type':'idempotent-close','path':'/a','producerId':'s','epoch':0}",
        "STREAM_CLOSED",
        "409");
  }

  @Test
  void nothingIsSentAfterCloseOrDetach() throws Exception {
    try (OddServer odd = new OddServer()) {
      init(odd.url());
      String producer = "{'type':'idempotent-%s','path':'/a','producerId':'%s','data':'x'}";
      client.done(producer.formatted("append", "p"));
      client.done(producer.formatted("close", "p"));
      int before = odd.requests().size();
      refused(producer.formatted("append", "p"), "STREAM_CLOSED", "409");
      client.done(producer.formatted("close", "p"));
      client.done(producer.formatted("detach", "p"));
      client.done(producer.formatted("detach", "nobody"));
      client.done("{'type':'validate','target':{'target':'idempotent-producer','epoch':0}}");
      client.done("{'type':'shutdown'}");
      assertThat(client.ended()).isEqualTo(ExitCode.OK);
      assertThat(odd.requests()).hasSize(before);
    }
  }

  @Test
  void dynamicValuesAreNewInEachRequestAndTold() throws Exception {
    try (OddServer odd = new OddServer()) {
      init(odd.url());
      client.done("{'type':'connect','path':'/a'}");
      client.done("{'type':'set-dynamic-header','name':'X-Count','valueType':'counter'}");
      client.done("{'type':'set-dynamic-param','name':'try','valueType':'counter'}");
      client.done(
          "{'type':'set-dynamic-header','name':'Authorization','valueType':'token','initialValue':'t1'}");
      Examined.Answer first = append("/a", "x");
      assertThat(first.get("headersSent.X-Count")).isEqualTo("1");
      assertThat(first.get("headersSent.Authorization")).isEqualTo("t1");
      assertThat(first.get("paramsSent.try")).isEqualTo("1");
      odd.failing(2);
      assertThat(append("/a", "x").get("headersSent.X-Count")).isEqualTo("4");
      client.done("{'type':'clear-dynamic'}");
      Examined.Answer read =
          client.done("{'type':'read','path':'/a','headers':{'Authorization':'t2'}}");
      assertThat(read.get("headersSent")).isEqualTo("-");
      assertThat(odd.requests())
          .containsExactly(
              "HEAD /a [] []",
              "POST /a?try=1 [1] [t1]",
              "POST /a?try=2 [2] [t1]",
              "POST /a?try=3 [3] [t1]",
              "POST /a?try=4 [4] [t1]",
              "GET /a?offset=-1 [] [t2]");
    }
  }

  @Test
  void answerThatIsNoJsonIsAParseError() throws Exception {
    try (OddServer odd = new OddServer().holding("application/json", "[{\"a\":")) {
      init(odd.url());
      refused("{'type':'read','path':'/a'}", "PARSE_ERROR", "-");
      odd.failing(1000);
      refused("{'type':'read','path':'/a','timeoutMs':200}", "UNEXPECTED_STATUS", "-");
    }
  }

  @Test
  void benchmarksSayHowLongTheyTook() throws Exception {
    init();
    created("/a", "application/json");
    String command =
        "{'type':'benchmark','iterationId':'i','operation':{'op':'%s','path':'%s',%s}}";
    for (String live : new String[] {"long-poll", "sse"}) {
      Examined.Answer trip =
          client.done(
              command.formatted("roundtrip", "/" + live, "'size':10,'live':'" + live + "'"));
      assertThat(trip.get("metrics.bytesTransferred")).isEqualTo("20");
      assertThat(Long.parseLong(trip.get("durationNs"))).isPositive();
      assertThat(trip.get("iterationId")).isEqualTo("i");
    }
    client.done(command.formatted("create", "/b", "'contentType':'text/plain'"));
    client.done(command.formatted("append", "/b", "'size':7"));
    assertThat(
            client
                .done(
                    command.formatted(
                        "throughput_append", "/a", "'count':500,'size':3,'concurrency':5"))
                .get("metrics.messagesProcessed"))
        .isEqualTo("500");
    Examined.Answer read =
        client.done(command.formatted("throughput_read", "/a", "'expectedCount':500"));
    assertThat(read.get("metrics.messagesProcessed")).isEqualTo("500");
    assertThat(
            client.done(command.formatted("read", "/b", "'x':0")).get("metrics.bytesTransferred"))
        .isEqualTo("7");
    assertThat(client.ask(command.formatted("append", "/b", "'size':0")).get("errorCode"))
        .isEqualTo("INVALID_ARGUMENT");
  }
}

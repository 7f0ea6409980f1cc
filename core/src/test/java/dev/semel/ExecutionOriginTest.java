package dev.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.outbox.internal.MemoryOutbox;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.transport.Message;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutionOriginTest {
  private static final Key KEY = Key.of("acme", "orders", "17");
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
  private final MemoryOutbox outbox = new MemoryOutbox();

  @AfterEach
  void close() {
    idempotency.close();
    store.close();
    assertThat(ExecutionOrigin.current())
        .as("nothing stays with the thread")
        .isSameAs(ExecutionOrigin.NONE);
  }

  private static Message message(String id) {
    return Message.of("orders", "{}").withId(id);
  }

  private Map<String, Map<String, String>> headers() {
    List<ReadRange> all =
        IntStream.range(0, OutboxStore.PARTITIONS)
            .mapToObj(p -> new ReadRange(p, 0, Set.of(), Set.of()))
            .toList();
    return outbox.read(all, 100).stream()
        .map(queued -> queued.message())
        .collect(Collectors.toMap(Message::id, Message::headers));
  }

  @Test
  void aMessageNamesTheExecutionThatAddedItUnlessItSaysOtherwise() {
    idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()),
        execution -> {
          outbox.add(message("taken"), message("given").withKey(Key.of("other", "1")));
          return "";
        });
    outbox.add(message("outside"));
    assertThat(headers())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "taken", Map.of(Message.SEMEL_KEY, KEY.text()),
                "given", Map.of(Message.SEMEL_KEY, "default/other:1"),
                "outside", Map.of()));
  }

  @Test
  void anExecutionWithinAnotherHasItsOwnKeyAndTheOtherHasItsBackAfterwards() {
    Key inner = Key.of("inner", "1");
    idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()),
        execution -> {
          idempotency.execute(
              ExecutionRequest.of(inner, Codec.utf8()),
              within -> {
                outbox.add(message("inner"));
                return "";
              });
          outbox.add(message("outer"));
          return "";
        });
    assertThat(headers().get("inner")).containsEntry(Message.SEMEL_KEY, inner.text());
    assertThat(headers().get("outer")).containsEntry(Message.SEMEL_KEY, KEY.text());
  }

  @Test
  void workThatThrowsLeavesNothingBehind() {
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    ExecutionRequest.of(KEY, Codec.utf8()),
                    execution -> {
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(ExecutionOrigin.current()).isSameAs(ExecutionOrigin.NONE);
  }

  @Test
  void anotherThreadHasItOnlyIfItIsCarriedThere() throws Exception {
    Callable<String> key = () -> ExecutionOrigin.current().key();
    try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
      String[] seen =
          ExecutionOrigin.of(KEY)
              .<String[], Exception>call(
                  () ->
                      new String[] {
                        pool.submit(key).get(),
                        pool.submit(ExecutionOrigin.current().carry(key)).get(),
                        pool.submit(key).get()
                      });
      assertThat(seen).containsExactly("", KEY.text(), "");
    }
  }

  @Test
  void whatFollowsFromAMessageNamesItAndBelongsToTheSame() {
    Message first =
        message("m1").withKey(KEY).withTrace(TRACE).withHeader(Message.TRACE_STATE, "a=1");
    Message second = message("m2").following(first.origin());
    assertThat(second.headers())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                Message.SEMEL_KEY, KEY.text(),
                Message.CAUSATION_ID, "m1",
                Message.CORRELATION_ID, "m1",
                Message.TRACE_PARENT, TRACE,
                Message.TRACE_STATE, "a=1"));
    Message third = message("m3").withCausationId("mine").following(second.origin());
    assertThat(third.headers())
        .containsEntry(Message.CORRELATION_ID, "m1")
        .containsEntry(Message.CAUSATION_ID, "mine");
    assertThat(message("m4").following(third.origin()).header(Message.CAUSATION_ID)).hasValue("m3");
  }

  /** A state without its parent, or another's parent, would tell of a trace that never was. */
  @Test
  void aTraceOfItsOwnIsNotMixedWithAnother() {
    Message first = message("m1").withTrace(TRACE).withHeader(Message.TRACE_STATE, "a=1");
    String own = TRACE.replace("4bf9", "aaaa");
    assertThat(message("m2").withTrace(own).following(first.origin()).headers())
        .containsEntry(Message.TRACE_PARENT, own)
        .doesNotContainKey(Message.TRACE_STATE);
  }

  @Test
  void aMessageWithoutRoomForItGoesWithoutIt() {
    Message full =
        message("full")
            .withHeader("large", "x".repeat(Message.MAX_HEADER_BYTES - "large".length()));
    assertThat(full.following(new ExecutionOrigin(KEY.text(), "", "", "", ""))).isEqualTo(full);
  }
}

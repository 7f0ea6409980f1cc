package dev.semel.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxOperations.Entry;
import dev.semel.outbox.spi.OutboxOperations.Filter;
import dev.semel.outbox.spi.OutboxOperations.State;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.tck.Racers;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an outbox promises to an operator who edits a dead letter. */
abstract class OutboxEditContract extends OutboxContract {
  List<String> listed(State state, Filter filter) {
    return operations().list(state, filter, "", 1000).entries().stream().map(Entry::id).toList();
  }

  void bury(String id) {
    beat("a", LONG);
    assertThat(store().bury("a", read(id), "it was refused")).isTrue();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void deadLetterIsReadWithItsPayloadAndStaysDead() {
    Message first =
        message("1", "key").withType("created").withHeader("note", "it's \"{a}\" \\ 100%");
    add(first, message("2"));
    bury("1");
    add(Message.of("mails", "another's").withId("1"));
    assertThat(operations().read("orders", "1").orElseThrow())
        .usingRecursiveComparison()
        .isEqualTo(first);
    assertThat(operations().read("mails", "1")).as("it waits").isEmpty();
    assertThat(operations().read("orders", "2")).as("it waits").isEmpty();
    assertThat(operations().read("orders", "9")).as("unknown").isEmpty();
    assertThat(listed(State.DEAD, Filter.ALL)).containsExactly("1");
  }

  @Test
  void editedDeadLetterGoesToTheEndUnderItsIdWithTheNewPayloadOnly() {
    add(message("1", "key").withType("created").withHeader("h", "v"), message("2", "key"));
    bury("1");
    assertThat(operations().retry("orders", "1", bytes("mended"))).isTrue();
    assertThat(listed(State.DEAD, Filter.ALL)).isEmpty();
    List<OutboxEntry> queue = store().read(List.of(all(OutboxStore.partition("key"))), 10);
    assertThat(ids(queue)).containsExactly("2", "1");
    assertThat(queue.getLast().attempts()).isZero();
    assertThat(queue.getLast().message())
        .usingRecursiveComparison()
        .isEqualTo(new Message("1", "orders", "key", "created", bytes("mended"), Map.of("h", "v")));
  }

  @Test
  void deadLetterMayBeEditedToNothingOrToAnyBytes() {
    byte[] any = {0, -1, (byte) 0xc3, 0x28, '\r', '\n'};
    add(message("1"), message("2"));
    bury("1");
    bury("2");
    assertThat(operations().retry("orders", "1", new byte[0])).isTrue();
    assertThat(operations().retry("orders", "2", any)).isTrue();
    assertThat(read("1").message().payload()).isEmpty();
    assertThat(read("2").message().payload()).isEqualTo(any);
  }

  @Test
  void onlyWhatIsDeadThereIsEdited() {
    add(message("waits"), message("published"), message("dead"));
    store().published(List.of(read("published")));
    bury("dead");
    add(Message.of("mails", "x").withId("dead"));
    assertThat(operations().retry("orders", "waits", bytes("new"))).isFalse();
    assertThat(operations().retry("orders", "published", bytes("new"))).isFalse();
    assertThat(operations().retry("mails", "dead", bytes("new"))).isFalse();
    assertThat(operations().retry("orders", "nobody", bytes("new"))).isFalse();
    assertThat(readAll())
        .extracting(each -> new String(each.message().payload(), StandardCharsets.UTF_8))
        .containsExactlyInAnyOrder("payload of waits", "x");
    assertThat(listed(State.DEAD, Filter.ALL)).containsExactly("dead");
    assertThat(listed(State.PUBLISHED, Filter.ALL)).containsExactly("published");
  }

  @Test
  void ofThoseWhoEditADeadLetterAtOnceOneWinsAndTheOthersAreTold() {
    add(message("1"));
    bury("1");
    List<Boolean> went =
        Racers.onPlatformThreads(
            4, racer -> operations().retry("orders", "1", bytes("from " + racer)));
    assertThat(went).containsOnlyOnce(true);
    assertThat(readAll())
        .extracting(each -> new String(each.message().payload(), StandardCharsets.UTF_8))
        .containsExactly("from " + went.indexOf(true));
    assertThat(operations().retry("orders", "1", bytes("late"))).isFalse();
  }

  @Test
  void payloadThatWouldNotBeAddedIsNotTakenForADeadLetter() {
    add(message("1"));
    bury("1");
    byte[] large = new byte[outbox().maxPayloadBytes() + 1];
    assertThatThrownBy(() -> operations().retry("orders", "1", large))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("maxPayloadBytes");
    assertThat(listed(State.DEAD, Filter.ALL)).containsExactly("1");
    assertThat(operations().read("orders", "1").orElseThrow().payload())
        .isEqualTo(bytes("payload of 1"));
  }
}

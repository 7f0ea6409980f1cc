package dev.semel.idempotency.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.Event.Reconciled.Verdict;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.FaultyStore;
import dev.semel.idempotency.FaultyStore.Fault;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.OutageProbe;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs while the store is away, and what is found out about it afterwards. */
class OutageExecutorTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final ExecutionPolicy GO_ON =
      ExecutionPolicy.defaults().withOnOutage(OnOutage.WARN_AND_CONTINUE);

  @TempDir Path folder;

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final FaultyStore store = new FaultyStore(memory);
  private final Map<Key, Verdict> verdicts = new ConcurrentHashMap<>();
  private final AtomicInteger charged = new AtomicInteger();
  private Idempotency idempotency = new Idempotency(store, this::note);

  @AfterEach
  void close() {
    store.away = false;
    idempotency.close();
  }

  private void note(Event event) {
    if (event instanceof Event.Reconciled reconciled) {
      verdicts.put(reconciled.key(), reconciled.verdict());
    }
  }

  private void withJournal() {
    idempotency.close();
    idempotency = new Idempotency(store, this::note, folder);
  }

  private Outcome<String> charge(Key key) {
    return idempotency.execute(
        ExecutionRequest.of(key, Codec.utf8()).withPolicy(GO_ON),
        execution -> "receipt " + charged.incrementAndGet());
  }

  private void awaitVerdict(Key key, Verdict expected) {
    await().until(() -> verdicts.containsKey(key));
    assertThat(verdicts).containsEntry(key, expected);
  }

  private List<Path> journals() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void withoutAJournalNothingRuns() {
    store.away = true;
    assertThatThrownBy(() -> charge(KEY)).isInstanceOf(StoreException.class);
    assertThat(charged).hasValue(0);
  }

  @Test
  void workGoesOnAndIsRecordedOnceTheStoreIsBack() throws IOException {
    withJournal();
    store.away = true;
    assertThat(charge(KEY)).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
    assertThat(journals()).hasSize(1);
    store.away = false;
    awaitVerdict(KEY, Verdict.RECORDED);
    assertThat(charge(KEY).value()).contains("receipt 1");
    assertThat(charge(KEY)).isInstanceOf(Outcome.Replayed.class);
    assertThat(charged).hasValue(1);
    assertThat(journals()).isEmpty();
  }

  @Test
  void aCallerThatIsInterruptedCostsNobodyTheJournal() throws IOException {
    withJournal();
    store.away = true;
    Key other = Key.of("payment", "order-124");
    Thread.currentThread().interrupt();
    try {
      assertThat(charge(KEY)).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
    } finally {
      assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
    }
    assertThat(charge(other)).isEqualTo(new Outcome.Executed<>("receipt 2", 1, false));
    assertThat(OutageJournal.abandoned(folder)).as("it keeps its lock").isEmpty();
    store.away = false;
    awaitVerdict(KEY, Verdict.RECORDED);
    awaitVerdict(other, Verdict.RECORDED);
    await().until(() -> journals().isEmpty());
  }

  @Test
  void thisProcessesOwnDuplicatesAreStillRecognised() {
    withJournal();
    store.away = true;
    charge(KEY);
    assertThat(charge(KEY)).isInstanceOf(Outcome.Replayed.class);
    assertThat(charged).hasValue(1);
  }

  /** Two ask at the same time; one runs here, and the other's claim was granted unheard. */
  @Test
  void aClaimThatNobodyRanUnderIsNotTakenForAnother() {
    store.during =
        () -> {
          store.away = true;
          charge(KEY);
          store.away = false;
          store.onClaim.addAll(List.of(Fault.REQUEST_LOST, Fault.REQUEST_LOST));
        };
    store.onClaim.add(Fault.ANSWER_LOST);
    withJournal();
    assertThat(charge(KEY)).isInstanceOf(Outcome.Replayed.class);
    awaitVerdict(KEY, Verdict.RECORDED);
    assertThat(charged).hasValue(1);
  }

  @Test
  void whatAnotherProcessRanTooIsNamed() {
    withJournal();
    store.away = true;
    charge(KEY);
    try (Idempotency elsewhere = new Idempotency(memory, event -> {})) {
      elsewhere.execute(
          ExecutionRequest.of(KEY, Codec.utf8()),
          execution -> "receipt " + charged.incrementAndGet());
    }
    assertThat(charged).hasValue(2);
    store.away = false;
    awaitVerdict(KEY, Verdict.RAN_TWICE);
    assertThat(charge(KEY).value()).contains("receipt 2");
  }

  @Test
  void aClaimThatWasGrantedUnheardIsNotTakenForSomeoneElses() {
    withJournal();
    store.onClaim.addAll(List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST));
    charge(KEY);
    awaitVerdict(KEY, Verdict.RECORDED);
    assertThat(charge(KEY)).isInstanceOf(Outcome.Replayed.class);
    assertThat(charged).hasValue(1);
  }

  @Test
  void anEndThatCouldNotBeRecordedIsRecordedLater() {
    withJournal();
    Outcome<String> outcome =
        idempotency.execute(
            ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(GO_ON),
            execution -> {
              store.away = true;
              return "receipt " + charged.incrementAndGet();
            });
    assertThat(outcome).isEqualTo(new Outcome.Executed<>("receipt 1", 1, false));
    assertThat(charge(KEY)).isInstanceOf(Outcome.Replayed.class);
    store.away = false;
    awaitVerdict(KEY, Verdict.RECORDED);
    assertThat(memory.find(KEY).map(StoredRecord::state)).contains(RecordState.COMPLETED);
    assertThat(charged).hasValue(1);
  }

  @Test
  void workThatFailedMeanwhileMayBeTriedAgain() {
    withJournal();
    store.away = true;
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(GO_ON),
                    execution -> {
                      throw new IOException("declined");
                    }))
        .isInstanceOf(IOException.class);
    store.away = false;
    awaitVerdict(KEY, Verdict.GIVEN_BACK);
    assertThat(charge(KEY).value()).contains("receipt 1");
  }

  @Test
  void anotherRequestUnderTheSameKeyIsAMismatch() {
    withJournal();
    store.away = true;
    idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8())
            .withFingerprint(Fingerprint.of("10 EUR"))
            .withPolicy(GO_ON),
        execution -> "ten");
    try (Idempotency elsewhere = new Idempotency(memory, event -> {})) {
      elsewhere.execute(
          ExecutionRequest.of(KEY, Codec.utf8()).withFingerprint(Fingerprint.of("11 EUR")),
          execution -> "eleven");
    }
    store.away = false;
    awaitVerdict(KEY, Verdict.MISMATCH);
  }

  @Test
  void aDeadProcessesJournalIsTakenUpByTheNext() throws IOException {
    Key ended = Key.of("payment", "ended");
    Key running = Key.of("payment", "running");
    OutageJournal dead = OutageJournal.in(folder);
    ClaimRequest first = claim(ended);
    dead.begun(first);
    dead.ended(first.token(), ExecutionEnd.completed(new Payload("text", new byte[] {0, -1})));
    dead.begun(claim(running));
    dead.close();
    Path file = journals().getFirst();
    Files.writeString(file, Files.readString(file) + "{\"begun\":\"cut short");

    withJournal();
    awaitVerdict(ended, Verdict.RECORDED);
    awaitVerdict(running, Verdict.IN_DOUBT);
    assertThat(memory.find(ended).orElseThrow().payload())
        .isEqualTo(new Payload("text", new byte[] {0, -1}));
    assertThat(memory.find(running).map(StoredRecord::state)).contains(RecordState.IN_FLIGHT);
    await().until(() -> journals().isEmpty());
  }

  @Test
  void aLivingProcessesJournalIsLeftAlone() {
    OutageJournal living = OutageJournal.in(folder);
    living.begun(claim(KEY));
    assertThat(OutageJournal.abandoned(folder)).isEmpty();
    living.close();
    List<OutageJournal> dead = OutageJournal.abandoned(folder);
    assertThat(dead).hasSize(1);
    assertThat(dead.getFirst().size()).isEqualTo(1);
    dead.getFirst().close();
  }

  private static ClaimRequest claim(Key key) {
    return ClaimQuestion.of(
            ExecutionRequest.of(key, Codec.utf8()).withRequestId("job \"1\" 🎉"),
            dev.semel.Token.draw())
        .claim();
  }

  @Test
  void whatCannotBeJournalledDoesNotRun() throws IOException {
    Path file = folder.resolve("a file, no folder");
    Files.createFile(file);
    idempotency.close();
    idempotency = new Idempotency(store, this::note, file);
    store.away = true;
    assertThatThrownBy(() -> charge(KEY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("journal");
    assertThat(charged).hasValue(0);
  }

  @Test
  void aStoreThatKeepsFailingIsLeftAloneForAWhile() {
    store.away = true;
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> charge(KEY)).isInstanceOf(StoreException.class);
    }
    assertThat(store.claims).hasValueLessThan(20);
    store.away = false;
    await().ignoreExceptions().until(() -> charge(KEY).value().isPresent());
  }

  @Test
  void aJournalThatCannotBeWrittenLeavesNothingThatLooksAsIfItRan() throws IOException {
    withUnwritableJournal();
    store.away = true;
    assertThatThrownBy(() -> charge(KEY)).isInstanceOf(StoreException.class);

    store.away = false;
    await().ignoreExceptions().until(() -> charge(KEY).value().isPresent());
    assertThat(charged).hasValue(1);
  }

  @Test
  void workThatRanIntoAnOutageWithoutAJournalIsTheStoresToJudge() throws IOException {
    withUnwritableJournal();
    ExecutionPolicy brief = GO_ON.withLease(Duration.ofMillis(60));
    ExecutionRequest<String> request = ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(brief);
    store.completionsLost = true;
    assertThat(idempotency.execute(request, e -> "done"))
        .isEqualTo(new Outcome.Executed<>("done", 1, false));

    await()
        .until(() -> idempotency.execute(request, e -> "again") instanceof Outcome.InDoubt<String>);

    store.completionsLost = false;
    memory.catalog().forceRelease(KEY);
    assertThat(idempotency.execute(request, e -> "again").value()).contains("again");
  }

  private void withUnwritableJournal() throws IOException {
    Path file = Files.writeString(folder.resolve("a-file"), "");
    idempotency.close();
    idempotency = new Idempotency(store, this::note, file.resolve("journals"));
  }

  /** Closing any channel of a locked file gives up the whole process's lock on it. */
  @Test
  void aLivingProcessesJournalStaysLockedWhoeverOfItLooks() throws IOException {
    OutageJournal left = OutageJournal.in(folder);
    left.begun(claim(Key.of("payment", "left behind")));
    left.close();
    OutageJournal living = OutageJournal.in(folder);
    living.begun(claim(KEY));
    List<OutageJournal> takenUp = OutageJournal.abandoned(folder);
    assertThat(takenUp).hasSize(1);
    assertThat(OutageJournal.abandoned(folder)).isEmpty();

    try (TestProcess child =
        TestProcess.start(
            TestProcess.java(TestProcess.SMALL, OutageProbe.class, folder.toString()))) {
      assertThat(child.awaitLine(".*")).isEqualTo("found 0");
    }
    living.close();
    takenUp.forEach(OutageJournal::close);
    assertThat(OutageJournal.abandoned(folder)).hasSize(2);
  }

  @Test
  void aLineThatWasCutWithinACharacterHidesNoOther() throws IOException {
    OutageJournal dead = OutageJournal.in(folder);
    dead.begun(claim(KEY));
    dead.close();
    byte[] cut = "{\"begun\":\"ü".getBytes(StandardCharsets.UTF_8);
    Files.write(
        journals().getFirst(), Arrays.copyOf(cut, cut.length - 1), StandardOpenOption.APPEND);

    withJournal();
    awaitVerdict(KEY, Verdict.IN_DOUBT);
    await().until(() -> journals().isEmpty());
  }

  @Test
  void whatFollowsALineThatWasCutIsNotGluedToIt() throws IOException {
    OutageJournal torn = OutageJournal.in(folder);
    torn.begun(claim(Key.of("payment", "first")));
    torn.close();
    Files.writeString(journals().getFirst(), "{\"begun\":\"cut", StandardOpenOption.APPEND);
    torn.begun(claim(Key.of("payment", "second")));
    torn.close();

    assertThat(OutageJournal.abandoned(folder).getFirst().over(true, 10))
        .extracting(entry -> entry.claim().key().id())
        .containsExactly("first", "second");
  }

  @Test
  void aJournalWithNothingInItIsRemoved() throws IOException {
    Files.writeString(folder.resolve("0190.outage"), "{\"begun\":\"cut");
    assertThat(OutageJournal.abandoned(folder)).isEmpty();
    assertThat(journals()).isEmpty();
  }

  @Test
  void aFullJournalCanBeEmptied() throws IOException {
    OutageJournal full = OutageJournal.in(folder);
    ExecutionEnd large = ExecutionEnd.completed(new Payload("text", new byte[2 << 20]));
    List<ClaimRequest> claims = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                ClaimRequest next = claim(Key.of("payment", "order-" + claims.size()));
                full.begun(next);
                claims.add(next);
                full.ended(next.token(), large);
              }
            })
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("full");

    claims.forEach(each -> full.settled(each.token()));
    assertThat(full.size()).isZero();
    assertThat(journals()).isEmpty();
  }

  @Test
  void aResponseThatIsTooLargeForALineDoesNotHideWhatFollows() {
    OutageJournal dead = OutageJournal.in(folder);
    ClaimRequest first = claim(Key.of("payment", "first"));
    dead.begun(first);
    ExecutionEnd huge = ExecutionEnd.completed(new Payload("text", new byte[4 << 20]));
    assertThatThrownBy(() -> dead.ended(first.token(), huge)).isInstanceOf(StoreException.class);
    assertThat(dead.over(false, 10)).hasSize(1);
    dead.begun(claim(Key.of("payment", "second")));
    dead.close();

    OutageJournal found = OutageJournal.abandoned(folder).getFirst();
    assertThat(found.over(true, 10)).hasSize(2);
    found.close();
  }

  @Test
  void workThatCannotTellWhetherItTookEffectIsInDoubtForAll() throws IOException {
    withJournal();
    store.away = true;
    EffectUnknown unknown = new EffectUnknown("no answer", new IOException("reset"));
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(GO_ON),
                    execution -> {
                      throw unknown;
                    }))
        .isSameAs(unknown);
    await().until(() -> charge(KEY) instanceof Outcome.InDoubt<String>);

    store.away = false;
    awaitVerdict(KEY, Verdict.IN_DOUBT);
    await().until(() -> charge(KEY) instanceof Outcome.InDoubt<String>);
    assertThat(charged).hasValue(0);
    assertThat(journals()).isEmpty();
  }

  @Test
  void whatRunsAgainMeanwhileIsNotForgottenWithTheAttemptBeforeIt() {
    withJournal();
    store.away = true;
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(GO_ON),
                    execution -> {
                      throw new IOException("declined");
                    }))
        .isInstanceOf(IOException.class);
    idempotency.execute(
        ExecutionRequest.of(KEY, Codec.utf8()).withPolicy(GO_ON),
        execution -> {
          store.away = false;
          awaitVerdict(KEY, Verdict.GIVEN_BACK);
          assertThat(charge(KEY)).isInstanceOf(Outcome.InFlight.class);
          verdicts.clear();
          return "receipt " + charged.incrementAndGet();
        });
    awaitVerdict(KEY, Verdict.RECORDED);
    assertThat(charged).hasValue(1);
  }

  @Test
  void aClaimThatWasGrantedUnheardIsGivenBackWhereNothingCanBeJournalled() throws IOException {
    withUnwritableJournal();
    store.onClaim.addAll(List.of(Fault.ANSWER_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST));
    assertThatThrownBy(() -> charge(KEY)).isInstanceOf(StoreException.class);
    await().until(() -> memory.find(KEY).orElseThrow().state() == RecordState.RELEASED);
    assertThat(charged).hasValue(0);
  }
}

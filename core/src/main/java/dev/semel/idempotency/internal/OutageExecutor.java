package dev.semel.idempotency.internal;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.Event.Reconciled.Verdict;
import dev.semel.event.Event.Unguarded.Reason;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.loop.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Continues while the store is away, where the policy says so: recognises this process's own
 * duplicates, journals everything before it runs, and compares the journal with the store once it
 * is back. Work that ran twice is reported; it can't be undone.
 */
public final class OutageExecutor implements AutoCloseable {
  /** How many entries one turn of the maintenance reconciles. */
  private static final int MAX_PER_TURN = 2000;

  private final IdempotencyStore store;
  private final DecisionReporter reporter;
  private final Optional<Path> folder;
  private final Platform platform;
  private final MemoryStore here;
  private final Optional<OutageJournal> journal;
  private final List<OutageJournal> abandoned = new ArrayList<>();
  private boolean looked;

  /**
   * Works with journals in this folder.
   *
   * @param folder the folder of the journals; without one no execution continues without the store
   */
  public OutageExecutor(ExecutionContext context, Optional<Path> folder) {
    this.store = context.store();
    this.reporter = context.reporter();
    this.platform = context.platform();
    this.folder = folder;
    this.here = new MemoryStore(platform.clock(), OutageJournal.MAX_ENTRIES);
    this.journal = folder.map(OutageJournal::in);
  }

  public boolean covers(ExecutionPolicy policy) {
    return policy.onOutage() == OnOutage.WARN_AND_CONTINUE && journal.isPresent();
  }

  /**
   * The answer of this process, if it ran the key during an outage that is not reconciled yet. It
   * only reports known results: a key that was just reconciled, or must run again, is left to the
   * store.
   */
  public Optional<ClaimAnswer> recall(ClaimQuestion question) {
    if (journal.isEmpty()) {
      return Optional.empty();
    }
    Optional<StoredRecord> known = here.find(question.key()); // no lock: every execution asks
    if (known.isEmpty()) {
      return Optional.empty();
    }
    ClaimRequest local = local(question);
    return switch (known.get().decide(local)) {
      case StoredRecord.Decision.Answer a ->
          Optional.of(ClaimAnswer.here(local, a.claim(), platform.nanos()));
      // The store does not know yet that an earlier attempt may have taken effect.
      case StoredRecord.Decision.Take t ->
          t.takenOver() ? Optional.of(claim(question)) : Optional.empty();
    };
  }

  /**
   * Claims within this process only. Nothing renews here, so the lease is as long as the work may
   * take.
   *
   * @param unheard may have been granted the claim by the store, with the question's token; while
   *     the work runs here, that claim must not be released there
   */
  public ClaimAnswer claimInstead(ClaimQuestion question, KeyClaimer unheard) {
    List<ClaimRequest> mayBeGranted = unheard.takeBack(question.token());
    boolean granted = false;
    try {
      ClaimAnswer answer = claim(question);
      granted = answer.result() instanceof ClaimResult.Granted;
      return answer;
    } finally {
      if (!granted) {
        mayBeGranted.forEach(unheard::giveUp); // another caller of this process runs, or none may
      }
    }
  }

  private ClaimAnswer claim(ClaimQuestion question) {
    ClaimRequest local = local(question);
    long nanos = platform.nanos();
    ClaimResult result = here.claim(local);
    if (result instanceof ClaimResult.Granted) {
      begin(question.claim());
    }
    return ClaimAnswer.here(local, result, nanos);
  }

  private static ClaimRequest local(ClaimQuestion question) {
    ClaimRequest asked = question.claim();
    Duration hold = question.request().policy().maxHold();
    Duration lease = hold.compareTo(ClaimRequest.MAX_LEASE) < 0 ? hold : ClaimRequest.MAX_LEASE;
    return new ClaimRequest(
        asked.key(),
        asked.token(),
        asked.fingerprint(),
        lease,
        asked.retention().compareTo(lease) < 0 ? lease : asked.retention(),
        asked.takeover(),
        asked.requestId());
  }

  private void begin(ClaimRequest claim) {
    try {
      journal.orElseThrow().begun(claim);
    } catch (StoreException e) {
      here.forget(claim.key(), claim.token());
      throw e;
    }
    reporter.unguarded(claim.key(), claim.requestId(), Reason.STORE_AWAY);
  }

  void ended(Key key, Token token, ExecutionEnd ending, Duration retention) {
    here.complete(key, token, ending, retention);
    journal.orElseThrow().ended(token, ending);
  }

  void released(Key key, Token token) {
    here.release(key, token);
    journal.orElseThrow().released(token);
  }

  /** The work is over. If its end was not reported, later callers get in doubt. */
  void left(Key key, Token token) {
    if (journal.orElseThrow().left(token)) {
      KeyClaimer.giveBack(here, key, token, true);
    }
  }

  /** The store granted the claim, but is away now that the work is done. */
  void ranThrough(ClaimRequest claim, ExecutionEnd ending) {
    OutageJournal lines = journal.orElseThrow();
    lines.begun(claim);
    lines.ended(claim.token(), ending);
    here.claim(claim);
    here.complete(claim.key(), claim.token(), ending, claim.retention());
  }

  /**
   * Compares ended entries with the store.
   *
   * @throws StoreException the store is still away; the rest is kept for the next time
   */
  public synchronized void reconcile() {
    if (folder.isEmpty()) {
      return;
    }
    if (!looked) {
      abandoned.addAll(OutageJournal.abandoned(folder.get()));
      looked = true;
    }
    for (OutageJournal dead : abandoned) {
      reconcile(dead, true);
    }
    abandoned.removeIf(dead -> dead.size() == 0);
    reconcile(journal.orElseThrow(), false);
  }

  private void reconcile(OutageJournal from, boolean dead) {
    for (OutageJournal.Entry entry : from.over(dead, MAX_PER_TURN)) {
      ClaimRequest claim = entry.claim();
      Verdict verdict = verdict(entry);
      from.settled(claim.token());
      here.forget(claim.key(), claim.token());
      reporter.reconciled(claim.key(), claim.requestId(), verdict);
    }
  }

  private Verdict verdict(OutageJournal.Entry entry) {
    ClaimRequest claim = entry.claim();
    ClaimResult answer = store.claim(claim);
    if (answer instanceof ClaimResult.Granted) {
      return settle(entry);
    }
    if (entry.stage() == OutageJournal.Stage.RELEASED) {
      return Verdict.GIVEN_BACK; // its work had no effect, so others did not repeat it
    }
    boolean own = store.find(claim.key()).map(e -> e.token().equals(claim.token())).orElse(false);
    return switch (answer) {
      case ClaimResult.Replay r -> own ? Verdict.RECORDED : Verdict.RAN_TWICE;
      case ClaimResult.Failed f -> own ? Verdict.RECORDED : Verdict.RAN_TWICE;
      case ClaimResult.InFlight f -> Verdict.RAN_TWICE;
      case ClaimResult.InDoubt d -> Verdict.IN_DOUBT;
      case ClaimResult.Mismatch m -> Verdict.MISMATCH;
      case ClaimResult.Granted g -> throw new IllegalStateException("settled above");
    };
  }

  /** The key is held with the entry's token: as far as the store knows, nobody else has run it. */
  private Verdict settle(OutageJournal.Entry entry) {
    ClaimRequest claim = entry.claim();
    return switch (entry.stage()) {
      case ENDED ->
          store.complete(
                  claim.key(), claim.token(), entry.ending().orElseThrow(), claim.retention())
              ? Verdict.RECORDED
              : Verdict.RAN_TWICE;
      case RELEASED -> {
        store.release(claim.key(), claim.token());
        yield Verdict.GIVEN_BACK;
      }
      // The claim stays and its lease ends, so that later callers get in doubt.
      case RUNNING, UNKNOWN -> {
        KeyClaimer.giveBack(store, claim.key(), claim.token(), true);
        yield Verdict.IN_DOUBT;
      }
    };
  }

  @Override
  public void close() {
    journal.ifPresent(OutageJournal::close);
    abandoned.forEach(OutageJournal::close);
  }
}

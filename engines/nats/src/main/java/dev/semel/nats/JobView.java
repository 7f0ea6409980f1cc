package dev.semel.nats;

import dev.semel.Operation;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobState;
import dev.semel.nats.JobNotes.Note;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Describes messages of the jobs' stream for an operator. */
record JobView(JobConsumers consumers, JobNotes notes) {
  /** How far the broker has handed messages out; asked once per queue. */
  record Reach(JobConsumers consumers, Map<String, Long> known) {
    boolean handedOut(Operation queue, JobPriority priority, long sequence) {
      long last =
          known.computeIfAbsent(
              JobSubjects.consumer(queue, priority),
              name ->
                  consumers
                      .info(queue, priority)
                      .map(info -> info.getDelivered().getStreamSequence())
                      .orElse(0L));
      return sequence <= last;
    }
  }

  Reach reach() {
    return new Reach(consumers, new HashMap<>());
  }

  Entry entry(JobRecord found, Reach reach) {
    return found.isJob() ? live(found, reach) : dead(found);
  }

  private static Entry dead(JobRecord found) {
    return new Entry(
        found.key(),
        found.text(JobRecord.ID).orElse(""),
        found.deadState(),
        found.priority(),
        found.payloadBytes(),
        (int) found.number(JobRecord.ATTEMPTS),
        found.enqueued(),
        found.due(),
        Optional.empty(),
        Optional.of(found.time()),
        found.error());
  }

  private Entry live(JobRecord found, Reach reach) {
    boolean out = reach.handedOut(found.key().operation(), found.priority(), found.sequence());
    Optional<Note> note = out ? notes.of(found.key(), found.sequence()) : Optional.empty();
    Optional<Instant> waitsUntil = note.flatMap(Note::waitsUntil);
    boolean waits = !out || waitsUntil.isPresent();
    // Without a note the message was handed out once, as far as we can know.
    int attempts = note.map(Note::attempts).orElse(out ? 1 : 0);
    return new Entry(
        found.key(),
        found.text(JobRecord.ID).orElse(""),
        waits ? JobState.PENDING : JobState.PROCESSING,
        found.priority(),
        found.payloadBytes(),
        attempts,
        found.enqueued(),
        waitsUntil.orElseGet(found::due),
        Optional.empty(),
        Optional.empty(),
        note.map(Note::error).orElse(""));
  }
}

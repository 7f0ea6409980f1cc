package dev.semel.nats;

import dev.semel.Key;
import io.nats.client.impl.Headers;
import java.time.Instant;
import java.util.Optional;

/**
 * Notes about redelivered jobs, because the broker counts deliveries but not their reasons. Each
 * note is written before its event, so a crash in between costs at most a count.
 */
record JobNotes(JobStream stream, JobSubjects subjects) {
  /**
   * A job's state when its note was written.
   *
   * @param delivered the broker's count at that time
   * @param waitsUntil empty: a worker has it
   */
  record Note(
      long about,
      long delivered,
      int attempts,
      int lost,
      Optional<Instant> waitsUntil,
      String error) {
    static Note none(long about) {
      return new Note(about, 0, 0, 0, Optional.of(Instant.MIN), "");
    }

    private static Note of(JobRecord found) {
      return new Note(
          found.number(JobRecord.ABOUT),
          found.number(JobRecord.DELIVERED),
          (int) found.number(JobRecord.ATTEMPTS),
          (int) found.number(JobRecord.LOST),
          found.text(JobRecord.WAITS_UNTIL).map(text -> Instant.ofEpochMilli(Long.parseLong(text))),
          found.error());
    }

    /** The state when a worker has the job, by the broker's count. */
    Note taken(long now) {
      int since = (int) (now - delivered);
      return new Note(
          about,
          now,
          attempts + since,
          lost + (waitsUntil.isPresent() ? since - 1 : since),
          Optional.empty(),
          error);
    }
  }

  static Note read(JobRecord found) {
    return Note.of(found);
  }

  Optional<Note> of(Key key, long about) {
    return stream.last(subjects.note(key)).map(Note::of).filter(note -> note.about() == about);
  }

  void write(Key key, Note note, long room) {
    Headers headers = new Headers();
    headers.put(JobRecord.KEY, NatsMessages.encode(key.text()));
    headers.put(JobRecord.ABOUT, Long.toString(note.about()));
    headers.put(JobRecord.DELIVERED, Long.toString(note.delivered()));
    headers.put(JobRecord.ATTEMPTS, Integer.toString(note.attempts()));
    headers.put(JobRecord.LOST, Integer.toString(note.lost()));
    note.waitsUntil()
        .ifPresent(
            until -> headers.put(JobRecord.WAITS_UNTIL, Long.toString(until.toEpochMilli())));
    byte[] body = JobRecord.withError(headers, note.error(), JobStream.nothing(), room);
    stream.put(subjects.note(key), headers, body);
  }

  void forget(Key key) {
    stream.deleteAll(subjects.note(key));
  }
}

package dev.semel.cli.tui;

import dev.semel.PrintableText;
import dev.semel.outbox.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Model and message make the next model and what is to be done: pure, and the only way. */
final class Reducer {
  private Reducer() {}

  static Step next(Model model, Message message) {
    return switch (message) {
      case Message.Pressed m ->
          model.dialog() instanceof Dialog.None
              ? PanelKeys.pressed(model, m.press())
              : DialogKeys.pressed(model, m.press());
      case Message.Resized m -> Step.to(model.sized(m.width(), m.height()));
      case Message.Ticked m -> ticked(model.at(m.now()));
      case Message.Surveyed m -> surveyed(model, m.overview());
      case Message.Heard m -> heard(model, m);
      case Message.Paged m -> paged(model, m);
      case Message.Opened m -> Step.to(opened(model, m));
      case Message.Done m -> done(model, m);
      case Message.Failed m -> Step.to(failed(model, m));
    };
  }

  /** Asks for what is due, each thing once at a time. */
  private static Step ticked(Model model) {
    Model next = model;
    if (next.notice().isPresent() && !next.now().isBefore(next.notice().get().until())) {
      next = next.silent();
    }
    List<Effect> effects = new ArrayList<>();
    if (!next.agenda().surveying() && !next.now().isBefore(next.agenda().survey())) {
      next = next.with(next.agenda().askedForSurvey());
      effects.add(new Effect.Survey());
    }
    if (next.link().away()) {
      return new Step(next, effects); // the survey finds out when it is back
    }
    if (!next.agenda().listening() && !next.now().isBefore(next.agenda().listen())) {
      next = next.with(next.agenda().askedForEvents());
      effects.add(new Effect.Listen(next.feed().cursor()));
    }
    Step page = Listing.due(next);
    effects.addAll(page.effects());
    return new Step(page.model(), effects);
  }

  /** All at once, because someone asked for it. */
  static Step refresh(Model model) {
    Instant now = model.now();
    Model.Agenda agenda = model.agenda();
    return ticked(
        model.with(new Model.Agenda(agenda.surveying(), now, agenda.listening(), now, now)));
  }

  private static Step surveyed(Model model, Overview overview) {
    Duration gentle = overview.took().multipliedBy(Model.Agenda.SHARE);
    Duration pause = gentle.compareTo(Model.Agenda.EVERY) > 0 ? gentle : Model.Agenda.EVERY;
    boolean back = model.link().away();
    Model next =
        model
            .with(overview)
            .with(model.link().answered(model.now()))
            .with(model.agenda().surveyed(model.now().plus(pause)))
            .choosing(Math.clamp(model.operation(), 0, Math.max(0, overview.queues().size() - 1)));
    if (overview.outbox().isPresent()) {
      next =
          next.rated(
              overview.outbox().get().relays().stream()
                  .mapToDouble(OutboxOperations.RelayStatus::perSecond)
                  .sum());
    }
    if (back) {
      next = next.saying(Notice.good("it answers again", next.now()));
    }
    return Listing.needed(next);
  }

  private static Step heard(Model model, Message.Heard heard) {
    Model.Agenda agenda = model.agenda().listened(model.now().plus(Model.Agenda.LISTEN_EVERY));
    return Step.to(model.with(model.feed().with(heard.lines(), heard.next())).with(agenda));
  }

  private static Step paged(Model model, Message.Paged paged) {
    KeyWindow keys = model.keys();
    if (!keys.filter().equals(paged.filter())) {
      // of a filter that is gone
      return Listing.needed(model.with(keys.reading(KeyWindow.Reading.NOTHING)));
    }
    return Listing.needed(model.with(keys.with(paged.ask(), paged.page(), model.now())));
  }

  private static Model opened(Model model, Message.Opened opened) {
    if (!(model.dialog() instanceof Dialog.Details details)
        || !details.key().equals(opened.key())) {
      return model;
    }
    return model.with(
        new Dialog.Details(
            opened.key(),
            opened.record(),
            java.util.Optional.of(opened.line()),
            model.now(),
            details.scroll()));
  }

  private static Step done(Model model, Message.Done done) {
    Model next = model.saying(Notice.good(done.says(), model.now()));
    if (done.effect() instanceof Effect.Change && next.dialog() instanceof Dialog.Editing) {
      next = next.closed();
    }
    return refresh(next);
  }

  private static Model failed(Model model, Message.Failed failed) {
    Instant now = model.now();
    String why = PrintableText.safe(failed.why());
    return switch (failed.effect()) {
      case Effect.Survey e -> {
        Link link = model.link().failed(now, why);
        yield model.with(link).with(model.agenda().surveyed(now.plus(link.pause())));
      }
      case Effect.Listen e -> model.with(model.agenda().listened(now.plus(Link.LONGEST_PAUSE)));
      case Effect.FetchPage e ->
          model
              .with(model.keys().reading(KeyWindow.Reading.FAILED))
              .with(model.agenda().paged(now.plus(Model.Agenda.EVERY)))
              .saying(Notice.bad("keys can't be read: " + why, now));
      case Effect.Change e ->
          model.dialog() instanceof Dialog.Editing editing
              ? model.with(new Dialog.Editing(editing.form().refused(why)))
              : model.saying(Notice.bad(why, now));
      case Effect.Open e -> model.closed().saying(Notice.bad(why, now));
      case Effect.Delete e -> model.saying(Notice.bad("not deleted: " + why, now));
      case Effect.CleanUp e -> model.saying(Notice.bad("not cleaned up: " + why, now));
      case Effect.ResetCounts e -> model.saying(Notice.bad("not reset: " + why, now));
      case Effect.Export e -> model.saying(Notice.bad("not exported: " + why, now));
    };
  }
}

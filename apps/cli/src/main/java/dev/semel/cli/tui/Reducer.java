package dev.semel.cli.tui;

import dev.semel.internal.PrintableText;
import dev.semel.outbox.spi.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the next model, and the effects to run, from a model and a message. A pure function, and
 * the only way to a new model.
 */
final class Reducer {
  private Reducer() {}

  static TuiStep next(TuiModel model, TuiMessage message) {
    return switch (message) {
      case TuiMessage.Pressed m ->
          model.dialog() instanceof OverlayDialog.None
              ? PanelKeys.pressed(model, m.press())
              : DialogKeys.pressed(model, m.press());
      case TuiMessage.Resized m -> TuiStep.to(model.sized(m.width(), m.height()));
      case TuiMessage.Ticked m -> ticked(model.at(m.now()));
      case TuiMessage.Surveyed m -> surveyed(model, m.overview());
      case TuiMessage.Heard m -> heard(model, m);
      case TuiMessage.Paged m -> paged(model, m);
      case TuiMessage.Opened m -> TuiStep.to(opened(model, m));
      case TuiMessage.Done m -> done(model, m);
      case TuiMessage.Failed m -> TuiStep.to(failed(model, m));
    };
  }

  /** Requests what is due, each thing once at a time. */
  private static TuiStep ticked(TuiModel model) {
    TuiModel next = model;
    if (next.notice().isPresent() && !next.now().isBefore(next.notice().get().until())) {
      next = next.silent();
    }
    List<TuiEffect> effects = new ArrayList<>();
    if (!next.agenda().surveying() && !next.now().isBefore(next.agenda().survey())) {
      next = next.with(next.agenda().askedForSurvey());
      effects.add(new TuiEffect.Survey());
    }
    if (next.link().away()) {
      return new TuiStep(next, effects); // the next survey shows it
    }
    if (!next.agenda().listening() && !next.now().isBefore(next.agenda().listen())) {
      next = next.with(next.agenda().askedForEvents());
      effects.add(new TuiEffect.Listen(next.feed().cursor()));
    }
    TuiStep page = PageRequests.due(next);
    effects.addAll(page.effects());
    return new TuiStep(page.model(), effects);
  }

  /** Requests everything at once, because the user asked for it. */
  static TuiStep refresh(TuiModel model) {
    Instant now = model.now();
    TuiModel.Agenda agenda = model.agenda();
    return ticked(
        model.with(new TuiModel.Agenda(agenda.surveying(), now, agenda.listening(), now, now)));
  }

  private static TuiStep surveyed(TuiModel model, OverviewData overview) {
    Duration gentle = overview.took().multipliedBy(TuiModel.Agenda.SHARE);
    Duration pause = gentle.compareTo(TuiModel.Agenda.EVERY) > 0 ? gentle : TuiModel.Agenda.EVERY;
    boolean back = model.link().away();
    TuiModel next =
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
    return PageRequests.needed(next);
  }

  private static TuiStep heard(TuiModel model, TuiMessage.Heard heard) {
    TuiModel.Agenda agenda =
        model.agenda().listened(model.now().plus(TuiModel.Agenda.LISTEN_EVERY));
    return TuiStep.to(model.with(model.feed().with(heard.lines(), heard.next())).with(agenda));
  }

  private static TuiStep paged(TuiModel model, TuiMessage.Paged paged) {
    KeyWindow keys = model.keys();
    if (!keys.filter().equals(paged.filter())) {
      // for a filter that is gone
      return PageRequests.needed(model.with(keys.reading(KeyWindow.Reading.NOTHING)));
    }
    return PageRequests.needed(model.with(keys.with(paged.ask(), paged.page(), model.now())));
  }

  private static TuiModel opened(TuiModel model, TuiMessage.Opened opened) {
    if (!(model.dialog() instanceof OverlayDialog.Details details)
        || !details.key().equals(opened.key())) {
      return model;
    }
    return model.with(
        new OverlayDialog.Details(
            opened.key(),
            opened.record(),
            java.util.Optional.of(opened.line()),
            model.now(),
            details.scroll()));
  }

  private static TuiStep done(TuiModel model, TuiMessage.Done done) {
    TuiModel next = model.saying(Notice.good(done.says(), model.now()));
    if (done.effect() instanceof TuiEffect.Change
        && next.dialog() instanceof OverlayDialog.Editing) {
      next = next.closed();
    }
    return refresh(next);
  }

  private static TuiModel failed(TuiModel model, TuiMessage.Failed failed) {
    Instant now = model.now();
    String why = PrintableText.safe(failed.why());
    return switch (failed.effect()) {
      case TuiEffect.Survey e -> {
        ConnectionState link = model.link().failed(now, why);
        yield model.with(link).with(model.agenda().surveyed(now.plus(link.pause())));
      }
      case TuiEffect.Listen e ->
          model.with(model.agenda().listened(now.plus(ConnectionState.LONGEST_PAUSE)));
      case TuiEffect.FetchPage e ->
          model
              .with(model.keys().reading(KeyWindow.Reading.FAILED))
              .with(model.agenda().paged(now.plus(TuiModel.Agenda.EVERY)))
              .saying(Notice.bad("keys can't be read: " + why, now));
      case TuiEffect.Change e ->
          model.dialog() instanceof OverlayDialog.Editing editing
              ? model.with(new OverlayDialog.Editing(editing.form().refused(why)))
              : model.saying(Notice.bad(why, now));
      case TuiEffect.Open e -> model.closed().saying(Notice.bad(why, now));
      case TuiEffect.Delete e -> model.saying(Notice.bad("not deleted: " + why, now));
      case TuiEffect.CleanUp e -> model.saying(Notice.bad("not cleaned up: " + why, now));
      case TuiEffect.ResetCounts e -> model.saying(Notice.bad("not reset: " + why, now));
      case TuiEffect.Export e -> model.saying(Notice.bad("not exported: " + why, now));
    };
  }
}

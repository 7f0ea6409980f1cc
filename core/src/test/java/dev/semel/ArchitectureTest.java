package dev.semel;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which packages of core may depend on which, and what none of them may do. */
final class ArchitectureTest {
  private static final String ROOT = "dev.semel";
  private static final String ENGINE = "dev.semel.engine";
  private static final String LOG = "dev.semel.log";
  private static final String LOOP = "dev.semel.loop";
  private static final String NET = "dev.semel.net";
  private static final String JSON = "dev.semel.json";
  private static final String JOURNAL = "dev.semel.journal";
  private static final String EVENT = "dev.semel.event";
  private static final String IDEMPOTENCY = "dev.semel.idempotency";
  private static final String STREAM = "dev.semel.stream";
  private static final String STREAM_CLIENT = "dev.semel.stream.client";
  private static final String STREAM_TRANSPORT = "dev.semel.stream.transport";
  private static final String TRANSPORT = "dev.semel.transport";
  private static final String OUTBOX = "dev.semel.outbox";
  private static final String INBOX = "dev.semel.inbox";
  private static final String HTTP = "dev.semel.http";
  private static final String HTTP_CLIENT = "dev.semel.http.client";
  private static final String JOB = "dev.semel.job";
  private static final String ALERT = "dev.semel.alert";
  private static final String WEBHOOK = "dev.semel.webhook";
  private static final String ADVICE = "dev.semel.advice";
  private static final String ADMIN = "dev.semel.admin";
  private static final String ADMIN_DOCUMENT = "dev.semel.admin.document";
  private static final String ADMIN_REMOTE = "dev.semel.admin.remote";

  /** The semel packages that each package may use beside itself. A new package gets a line here. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          entry(ROOT, Set.of()),
          entry(ENGINE, Set.of(ROOT, IDEMPOTENCY, JOB, OUTBOX, INBOX)),
          entry(LOG, Set.of(ROOT)),
          entry(LOOP, Set.of(ROOT, LOG, EVENT)),
          entry(JSON, Set.of(ROOT)),
          entry(NET, Set.of(ROOT, LOOP)),
          entry(JOURNAL, Set.of(ROOT, LOOP)),
          entry(EVENT, Set.of(ROOT, JSON, LOG)),
          entry(IDEMPOTENCY, Set.of(ROOT, EVENT, JSON, LOG, LOOP)),
          entry(STREAM, Set.of(ROOT, JSON, LOOP, JOURNAL)),
          entry(STREAM_CLIENT, Set.of(ROOT, JSON, LOOP, NET, STREAM)),
          entry(TRANSPORT, Set.of(ROOT, LOOP)),
          entry(STREAM_TRANSPORT, Set.of(ROOT, JSON, LOOP, STREAM, STREAM_CLIENT, TRANSPORT)),
          entry(OUTBOX, Set.of(ROOT, LOG, LOOP, EVENT, TRANSPORT)),
          entry(INBOX, Set.of(ROOT, LOG, LOOP, EVENT, TRANSPORT)),
          entry(HTTP, Set.of(ROOT, JSON, IDEMPOTENCY)),
          entry(HTTP_CLIENT, Set.of(ROOT, JSON, LOOP, NET, HTTP)),
          entry(JOB, Set.of(ROOT, LOG, LOOP, JSON, EVENT, IDEMPOTENCY)),
          entry(ALERT, Set.of(ROOT, LOOP, JSON, EVENT, IDEMPOTENCY, OUTBOX, INBOX, JOB)),
          entry(WEBHOOK, Set.of(ROOT, LOG, LOOP, NET, JSON, EVENT, ALERT, HTTP_CLIENT)),
          entry(ADVICE, Set.of(ROOT, IDEMPOTENCY)),
          entry(
              ADMIN,
              Set.of(
                  ROOT,
                  LOOP,
                  JSON,
                  EVENT,
                  IDEMPOTENCY,
                  STREAM,
                  JOB,
                  TRANSPORT,
                  OUTBOX,
                  INBOX,
                  ALERT,
                  ADVICE)),
          entry(
              ADMIN_DOCUMENT,
              Set.of(
                  ROOT,
                  JSON,
                  EVENT,
                  IDEMPOTENCY,
                  JOB,
                  TRANSPORT,
                  OUTBOX,
                  INBOX,
                  ALERT,
                  ADVICE,
                  ADMIN)),
          entry(
              ADMIN_REMOTE,
              Set.of(
                  ROOT,
                  NET,
                  JSON,
                  EVENT,
                  IDEMPOTENCY,
                  JOB,
                  TRANSPORT,
                  OUTBOX,
                  INBOX,
                  ALERT,
                  ADVICE,
                  ADMIN,
                  ADMIN_DOCUMENT)));

  /** All that core needs from outside: the JDK and annotations. */
  private static final List<String> OUTSIDE =
      List.of("java..", "javax.crypto..", "javax.net.ssl..", "org.jspecify.annotations..");

  /** The single type of the vocabulary's package that sees the features. */
  private static final DescribedPredicate<JavaClass> FRONT_DOOR =
      DescribedPredicate.describe(
          "the front door", c -> c.getName().matches("dev\\.semel\\.Semel(\\$.*)?"));

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/dev/semel/junit/"))
          .importPackages(ROOT);

  @Test
  void everyPackageHasItsLineInTheTable() {
    Set<String> packages =
        CORE.stream()
            .map(c -> c.getPackageName().replaceFirst("\\.(spi|internal)(\\..*)?$", ""))
            .collect(Collectors.toUnmodifiableSet());
    assertThat(packages).contains(ROOT, LOOP, EVENT, IDEMPOTENCY);
    assertThat(MAY_USE.keySet()).containsAll(packages);
  }

  @Test
  void packagesUseOnlyWhatTheTableAllows() {
    MAY_USE.forEach(
        (name, others) -> {
          String[] allowed =
              Stream.concat(
                      Stream.concat(Stream.of(name), others.stream())
                          .flatMap(ArchitectureTest::doors),
                      OUTSIDE.stream())
                  .toArray(String[]::new);
          classes()
              .that()
              .resideInAnyPackage(doors(name).toArray(String[]::new))
              .and(not(FRONT_DOOR))
              .should()
              .onlyDependOnClassesThat()
              .resideInAnyPackage(allowed)
              .allowEmptyShould(true) // a package of the table that is still to come
              .check(CORE);
        });
  }

  /**
   * A package of the table with its spi and internal packages, which have no lines of their own.
   */
  private static Stream<String> doors(String name) {
    return Stream.of(name, name + ".spi..", name + ".internal..");
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("dev.semel.(*)..").should().beFreeOfCycles().check(CORE);
  }

  /**
   * No public method of the API takes or returns an internal type, because an application could not
   * name it. Those listed are called by our own modules.
   */
  @Test
  void nothingInternalIsInTheSignaturesOfTheApi() {
    Set<String> seen =
        CORE.stream()
            .filter(ArchitectureTest::isApi)
            .flatMap(c -> c.getCodeUnits().stream())
            .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(
                unit ->
                    Stream.concat(
                            unit.getRawParameterTypes().stream(),
                            Stream.of(unit.getRawReturnType()))
                        .anyMatch(type -> type.getPackageName().contains(".internal")))
            .map(unit -> unit.getOwner().getSimpleName() + "." + unit.getName())
            .collect(Collectors.toUnmodifiableSet());
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "IdempotentProducer.open",
            "JournalStreams.backup",
            "Maintenance.reporter",
            "Maintenance.settings",
            "Settings.<init>",
            "Settings.journal");
  }

  private static boolean isApi(JavaClass type) {
    return !type.getPackageName().matches(".*\\.(spi|internal)(\\..*)?")
        && type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isApi).orElse(true);
  }

  @Test
  void onlyLoopStartsThreads() {
    noClasses()
        .that()
        .resideOutsideOfPackage(LOOP + "..")
        .should()
        .callConstructorWhere(
            target(owner(assignableTo(Thread.class)))
                .or(target(owner(assignableTo(Executor.class))))
                .or(target(owner(assignableTo(Timer.class)))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(Thread.class)))
                .and(target(nameMatching("ofVirtual|ofPlatform|startVirtualThread|start"))))
        .orShould()
        .callMethodWhere(
            target(owner(assignableTo(CompletableFuture.class)))
                .and(target(nameMatching(".*Async"))))
        .orShould()
        .callMethodWhere(target(nameMatching("parallel|parallelStream")))
        .orShould()
        .dependOnClassesThat(equivalentTo(Executors.class))
        .check(CORE);
  }

  @Test
  void namesAreNounsOfTheDomain() {
    noClasses()
        .should()
        .haveSimpleNameEndingWith("Impl")
        .orShould()
        .haveSimpleNameEndingWith("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .orShould()
        .haveSimpleNameStartingWith("Abstract")
        .check(CORE);
  }

  @Test
  void classesAreNotInherited() {
    DescribedPredicate<JavaClass> sealed =
        DescribedPredicate.describe("sealed", c -> c.reflect().isSealed());
    classes()
        .that()
        .areNotInterfaces()
        .and()
        .areNotEnums()
        .and()
        .areNotAnonymousClasses()
        .and(not(sealed))
        // The one exception type that adapters may refine.
        .and(not(equivalentTo(StoreException.class)))
        .should()
        .haveModifier(JavaModifier.FINAL)
        .check(CORE);
  }
}

package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What applications call compiles in Java and in Kotlin, with lambdas whose types are inferred: one
 * program in both languages, which must write the same. What pages show of Kotlin is part of it.
 */
class FrontDoorTest {
  private static final Path PROGRAMS = Path.of("src", "test", "frontdoor");
  private static final Path JAVA = PROGRAMS.resolve("FrontDoor.java");
  private static final Path KOTLIN = PROGRAMS.resolve("FrontDoor.kt");

  @TempDir Path folder;

  @Test
  void theSameProgramRunsInJavaAndInKotlin() throws Exception {
    String inJava = run("FrontDoor", java());
    assertThat(inJava.lines().map(line -> line.split(" ", -1)[0]))
        .containsExactly(
            "executed",
            "replayed",
            "mismatch",
            "sending",
            "executed",
            "2",
            "the",
            "executed",
            "executed",
            "executed",
            "executed",
            "reserved",
            "executed",
            "executed",
            "executed",
            "ordered",
            "nothing",
            "Done[]",
            "[Done[]]",
            "exported",
            "ticked",
            "false");
    assertThat(run("FrontDoorKt", kotlin())).isEqualTo(inJava);
  }

  @Test
  void kotlinInThePagesIsPartOfTheProgram() {
    String program = unindented(Book.text(KOTLIN));
    List<String> shown =
        Book.pages().stream()
            .flatMap(page -> page.fences().stream())
            .filter(fence -> fence.language().equals("kotlin"))
            .flatMap(fence -> Stream.of(fence.text().split("\n\n", -1)))
            .toList();
    assertThat(shown).isNotEmpty();
    assertThat(shown).allSatisfy(part -> assertThat(program).contains(unindented(part)));
  }

  private static String unindented(String text) {
    return text.lines().map(String::strip).reduce("", (all, line) -> all + line + "\n");
  }

  private Path java() throws IOException {
    Path classes = Files.createDirectory(folder.resolve("java"));
    StringWriter said = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean well =
          compiler
              .getTask(
                  said,
                  files,
                  null,
                  List.of(
                      "-d",
                      classes.toString(),
                      "-proc:none",
                      "--release",
                      "21",
                      "-classpath",
                      JavaProgram.classPath()),
                  null,
                  files.getJavaFileObjects(JAVA))
              .call();
      assertThat(well).as("%s", said).isTrue();
    }
    return classes;
  }

  /** In a process of its own: its compiler keeps to itself how much memory it wants. */
  private Path kotlin() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("kotlin"));
    JavaProgram.run(
        folder,
        JavaProgram.classPath(),
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        "-no-stdlib",
        "-no-reflect",
        "-Werror",
        "-jvm-target",
        "21",
        "-cp",
        JavaProgram.classPath(),
        "-d",
        classes.toString(),
        KOTLIN.toAbsolutePath().toString());
    return classes;
  }

  private static String run(String mainClass, Path classes) throws Exception {
    Path place = Files.createDirectory(classes.resolve("place"));
    return JavaProgram.run(
        place, classes + File.pathSeparator + JavaProgram.classPath(), mainClass);
  }
}

package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every block of Java in a page is put where {@code // snippet} stands in the file of {@code
 * src/test/snippets} that is called like the page and the block's number, and compiled there. Where
 * that file says {@code // run}, its {@code main} is run, in a folder and a process of its own, and
 * must write what the lines {@code // prints:} say.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaSnippetsTest {
  private static final Path SURROUNDINGS = Path.of("src", "test", "snippets");
  private static final String HERE = "// snippet";
  private static final String RUN = "// run";
  private static final Pattern PRINTS = Pattern.compile("(?m)^// prints: (.*)$");
  private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  @TempDir Path compiled;

  private final List<Snippet> snippets = new ArrayList<>();

  /** A block, and where it stands. */
  private record Snippet(String name, String where, String block) {
    static Snippet of(Page page, Page.Fence fence) {
      String name =
          page.name().replaceFirst("\\.md$", "").replace(File.separatorChar, '.')
              + "-"
              + fence.number();
      return new Snippet(name, page.name() + " line " + fence.line(), fence.text());
    }

    Path file() {
      return SURROUNDINGS.resolve(name + ".java");
    }

    /** A package of its own, so that all are compiled together. */
    String packaged() {
      return "snippet." + name.replaceAll("[^A-Za-z0-9]", "_");
    }

    /** Imports that the block shows stand before the class around it. */
    String source() {
      StringBuilder imports = new StringBuilder();
      StringBuilder rest = new StringBuilder("\n");
      for (String line : block.lines().toList()) {
        boolean isImport = line.startsWith("import ");
        (isImport ? imports : rest).append(line).append(isImport ? " " : "\n");
      }
      String around = Book.text(file()).replace(HERE, rest);
      return "package " + packaged() + "; " + imports + around;
    }

    boolean runs() {
      return source().contains(RUN);
    }

    /** What it writes, as its surroundings say. */
    String prints() {
      return PRINTS
          .matcher(source())
          .results()
          .map(found -> found.group(1) + "\n")
          .collect(Collectors.joining());
    }

    String mainClass() {
      Matcher found = CLASS.matcher(source());
      assertThat(found.find()).as(where).isTrue();
      return packaged() + "." + found.group(1);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final Snippet snippet;

    Source(Snippet snippet) {
      super(URI.create("string:///" + snippet.name() + ".java"), Kind.SOURCE);
      this.snippet = snippet;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return snippet.source();
    }

    /** A class of a page may be public whatever its file is called here. */
    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
      return true;
    }
  }

  @BeforeAll
  void gather() {
    for (Page page : Book.pages()) {
      page.fences().stream()
          .filter(fence -> fence.language().equals("java"))
          .forEach(fence -> snippets.add(Snippet.of(page, fence)));
    }
  }

  @Test
  void everyBlockHasItsSurroundingsAndNoneIsLeftOver() throws IOException {
    assertThat(snippets)
        .as("blocks without a file in %s", SURROUNDINGS)
        .allMatch(snippet -> Files.exists(snippet.file()));
    Set<String> known = new TreeSet<>();
    snippets.forEach(snippet -> known.add(snippet.name() + ".java"));
    try (Stream<Path> files = Files.list(SURROUNDINGS)) {
      assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf(known);
    }
  }

  @Test
  void everyBlockCompilesAndRunsWhereItCan() throws Exception {
    compile();
    List<Snippet> runnable = snippets.stream().filter(Snippet::runs).toList();
    assertThat(runnable).isNotEmpty();
    for (Snippet snippet : runnable) {
      run(snippet);
    }
  }

  private void compile() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StringWriter said = new StringWriter();
    boolean well =
        compiler
            .getTask(
                said,
                null,
                found,
                List.of(
                    "-d",
                    compiled.toString(),
                    "-proc:none",
                    "--release",
                    "21",
                    "-classpath",
                    System.getProperty("java.class.path")),
                null,
                snippets.stream().map(Source::new).toList())
            .call();
    List<String> errors =
        found.getDiagnostics().stream()
            .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
            .map(this::told)
            .toList();
    assertThat(errors).as("%s", said).isEmpty();
    assertThat(well).isTrue();
  }

  private String told(Diagnostic<? extends JavaFileObject> error) {
    if (!(error.getSource() instanceof Source source)) {
      return error.toString();
    }
    String line =
        source
            .snippet
            .source()
            .lines()
            .skip(Math.max(0, error.getLineNumber() - 1))
            .findFirst()
            .orElse("");
    return "%s: %s%n    %s"
        .formatted(source.snippet.where(), error.getMessage(Locale.ROOT), line.strip());
  }

  private void run(Snippet snippet) throws IOException {
    Path folder = Files.createDirectory(compiled.resolve(snippet.name()));
    String written =
        JavaProgram.run(
            folder, compiled + File.pathSeparator + JavaProgram.classPath(), snippet.mainClass());
    assertThat(written).as(snippet.where()).isEqualTo(snippet.prints());
  }
}

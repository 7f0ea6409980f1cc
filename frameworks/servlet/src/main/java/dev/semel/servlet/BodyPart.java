package dev.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One part of a multipart body, kept in memory; it never uses a temporary file. */
final class BodyPart implements Part {
  private final Map<String, List<String>> headers;
  private final String name;
  private final @Nullable String fileName;
  private final byte[] content;
  private final ServletContext context;

  /**
   * @param headers headers by name; names ignore case
   */
  BodyPart(
      Map<String, List<String>> headers,
      String name,
      @Nullable String fileName,
      byte[] content,
      ServletContext context) {
    this.headers = headers;
    this.name = name;
    this.fileName = fileName;
    this.content = content;
    this.context = context;
  }

  String text(Charset charset) {
    return new String(content, charset);
  }

  @Override
  public InputStream getInputStream() {
    return new ByteArrayInputStream(content);
  }

  @Override
  public @Nullable String getContentType() {
    return getHeader("Content-Type");
  }

  @Override
  public String getName() {
    return name;
  }

  /** The file name as the client sent it: never use it as a path. */
  @Override
  public @Nullable String getSubmittedFileName() {
    return fileName;
  }

  @Override
  public long getSize() {
    return content.length;
  }

  /** Writes below the application's temporary folder, unless the path is absolute. */
  @Override
  public void write(String file) throws IOException {
    Path path = Path.of(file);
    if (!path.isAbsolute()) {
      Object folder = Objects.requireNonNull(context.getAttribute(ServletContext.TEMPDIR));
      path = ((File) folder).toPath().resolve(path);
    }
    Files.write(path, content);
  }

  /** Does nothing: there is no file. */
  @Override
  public void delete() {}

  @Override
  public @Nullable String getHeader(String header) {
    List<String> values = headers.get(header);
    return values == null ? null : values.get(0);
  }

  @Override
  public Collection<String> getHeaders(String header) {
    return headers.getOrDefault(header, List.of());
  }

  @Override
  public Collection<String> getHeaderNames() {
    return headers.keySet();
  }
}

package dev.semel.webtest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks a site for everything that its pages link to and load, each address once. */
final class SiteCrawl {
  private static final Pattern LINK =
      Pattern.compile("<(a|img|link|script|source)\\b[^>]*?\\s(?:href|src|srcset)=\"([^\"]*)\"");

  private static final Pattern ID = Pattern.compile("<[^>]*?\\sid=\"([^\"]+)\"");
  private static final int OK = 200;

  /**
   * @param ids what its links may name in it; nothing in what is no page
   */
  private record Fetched(int status, boolean isPage, Set<String> ids, List<Link> links) {}

  /**
   * @param tag {@code a}, or what is loaded without a click
   */
  private record Link(String tag, URI target) {}

  private final URI site;
  private final Map<URI, Fetched> fetched = new HashMap<>();
  private final Set<String> dead = new LinkedHashSet<>();
  private final Set<String> elsewhere = new LinkedHashSet<>();
  private int links;

  SiteCrawl(URI site) {
    this.site = site;
  }

  void follow() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Set<URI> seen = new HashSet<>(Set.of(site));
      Deque<URI> open = new ArrayDeque<>(seen);
      while (!open.isEmpty()) {
        URI page = open.remove();
        for (Link link : fetch(client, page).links) {
          links++;
          if (!link.target.getAuthority().equals(site.getAuthority())) {
            if (!link.tag.equals("a")) {
              elsewhere.add(page + " loads " + link.target);
            }
            continue;
          }
          URI target = withoutFragment(link.target);
          if (seen.add(target)) {
            open.add(target);
          }
          wrong(fetch(client, target), link.target.getFragment())
              .ifPresent(why -> dead.add(page + ": " + link.target + " " + why));
        }
      }
    }
  }

  private static Optional<String> wrong(Fetched target, @Nullable String fragment) {
    if (target.status != OK) {
      return Optional.of("answers " + target.status);
    }
    boolean there = fragment == null || !target.isPage || target.ids.contains(fragment);
    return there ? Optional.empty() : Optional.of("has no such heading");
  }

  private Fetched fetch(HttpClient client, URI address) throws IOException, InterruptedException {
    Fetched known = fetched.get(address);
    if (known != null) {
      return known;
    }
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    boolean isPage =
        response.headers().firstValue("Content-Type").orElse("").startsWith("text/html");
    String text = isPage ? response.body() : "";
    Fetched result =
        new Fetched(
            response.statusCode(),
            isPage,
            ID.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet()),
            linksOf(address, text));
    fetched.put(address, result);
    return result;
  }

  private static List<Link> linksOf(URI page, String text) {
    List<Link> links = new ArrayList<>();
    LINK.matcher(text)
        .results()
        .filter(found -> !found.group(2).startsWith("data:"))
        .map(found -> new Link(found.group(1), page.resolve(found.group(2).replace("&amp;", "&"))))
        .filter(link -> String.valueOf(link.target.getScheme()).startsWith("http"))
        .forEach(links::add);
    return links;
  }

  private static URI withoutFragment(URI address) {
    String whole = address.toString();
    int hash = whole.indexOf('#');
    return hash < 0 ? address : URI.create(whole.substring(0, hash));
  }

  /** Links to what is not there. */
  Set<String> dead() {
    return dead;
  }

  /** What a browser would load from another host. */
  Set<String> loadedFromElsewhere() {
    return elsewhere;
  }

  long pages() {
    return fetched.values().stream().filter(Fetched::isPage).count();
  }

  int links() {
    return links;
  }
}

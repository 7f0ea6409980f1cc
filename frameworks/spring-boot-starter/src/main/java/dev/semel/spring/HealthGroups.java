package dev.semel.spring;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Adds Semel's health to the readiness group, and ranks <em>degraded</em> above <em>up</em>: Spring
 * Boot ignores statuses that it does not know. The application's own configuration of either wins.
 * It must run after Spring Boot's own post-processor, which creates the group.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
final class HealthGroups implements HealthEndpointGroupsPostProcessor {
  private static final String READINESS = "readiness";
  private static final String SETTINGS = "management.endpoint.health.";

  private final String contributor;
  private final boolean readiness;
  private final Environment environment;

  /**
   * @param contributor Semel's name among the health contributors
   * @param readiness whether the readiness group includes it
   */
  HealthGroups(String contributor, boolean readiness, Environment environment) {
    this.contributor = contributor;
    this.readiness = readiness && !isSet(environment, "group." + READINESS + ".include");
    this.environment = environment;
  }

  private static boolean isSet(Environment environment, String setting) {
    return environment.containsProperty(SETTINGS + setting)
        || environment.containsProperty(SETTINGS + setting + "[0]");
  }

  @Override
  public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
    boolean ordered = isSet(environment, "status.order");
    return new HealthEndpointGroups() {
      @Override
      public HealthEndpointGroup getPrimary() {
        return new Group(groups.getPrimary(), false, ordered);
      }

      @Override
      public Set<String> getNames() {
        return groups.getNames();
      }

      @Override
      public @Nullable HealthEndpointGroup get(String name) {
        HealthEndpointGroup group = groups.get(name);
        return group == null
            ? null
            : new Group(
                group,
                readiness && name.equals(READINESS),
                ordered || isSet(environment, "group." + name + ".status.order"));
      }
    };
  }

  /** A group with Semel's additions. */
  private final class Group implements HealthEndpointGroup {
    private final HealthEndpointGroup group;
    private final boolean follows;
    private final boolean ordered;

    /**
     * @param follows whether Semel belongs to the group
     * @param ordered whether the application defines the order of statuses
     */
    Group(HealthEndpointGroup group, boolean follows, boolean ordered) {
      this.group = group;
      this.follows = follows;
      this.ordered = ordered;
    }

    @Override
    public boolean isMember(String name) {
      return (follows && name.equals(contributor)) || group.isMember(name);
    }

    @Override
    public boolean showComponents(SecurityContext context) {
      return group.showComponents(context);
    }

    @Override
    public boolean showDetails(SecurityContext context) {
      return group.showDetails(context);
    }

    @Override
    public StatusAggregator getStatusAggregator() {
      StatusAggregator known = group.getStatusAggregator();
      return ordered ? known : all -> aggregate(known, all);
    }

    @Override
    public HttpCodeStatusMapper getHttpCodeStatusMapper() {
      return group.getHttpCodeStatusMapper();
    }

    @Override
    public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
      return group.getAdditionalPath();
    }
  }

  private static Status aggregate(StatusAggregator known, Set<Status> all) {
    Status status = known.getAggregateStatus(all);
    boolean well = status.equals(Status.UP) || status.equals(Status.UNKNOWN);
    return well && all.contains(SemelHealthIndicator.DEGRADED)
        ? SemelHealthIndicator.DEGRADED
        : status;
  }
}

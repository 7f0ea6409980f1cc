package dev.semel.example.payments;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Who may pay: alice and bob. An {@code Idempotency-Key} belongs to whoever sends it. */
@Configuration(proxyBeanMethods = false)
class Customers {
  @Bean
  SecurityFilterChain security(HttpSecurity http) {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .httpBasic(Customizer.withDefaults())
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // there is no session that another site could ride
        .build();
  }

  /**
   * An example's passwords: do not copy these lines. The manager itself would be asked to keep
   * hashes instead, which take a tenth of a second of every request; a function can't be.
   */
  @Bean
  UserDetailsService users() {
    var known = new InMemoryUserDetailsManager(customer("alice"), customer("bob"));
    return name -> known.loadUserByUsername(name);
  }

  private static UserDetails customer(String name) {
    return User.withUsername(name).password("{noop}" + name).roles("CUSTOMER").build();
  }
}

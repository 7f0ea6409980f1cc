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

/** The users, alice and bob. An {@code Idempotency-Key} belongs to the user that sends it. */
@Configuration(proxyBeanMethods = false)
class Customers {
  @Bean
  SecurityFilterChain security(HttpSecurity http) {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .httpBasic(Customizer.withDefaults())
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // no session to misuse
        .build();
  }

  /**
   * Passwords for an example: do not copy these lines. Spring would ask the manager itself to store
   * hashes instead, which cost a tenth of a second per request; it can't ask this function.
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

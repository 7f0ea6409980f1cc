package dev.semel.spring.internal;

import dev.semel.spring.Idempotent;
import dev.semel.spring.IdempotentInterceptor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Puts the interceptor around beans that have {@link Idempotent} methods, outside of everything
 * else that is there: a transaction of an inner annotation is to be the one that we began.
 */
public final class IdempotentPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  private final transient IdempotentInterceptor interceptor;

  @SuppressWarnings("this-escape")
  public // the setters are those of the class that is meant to be set up
  IdempotentPostProcessor(IdempotentInterceptor interceptor) {
    this.interceptor = interceptor;
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(true); // as Boot does it: a bean is asked for by its class
    this.advisor =
        new DefaultPointcutAdvisor(
            new AnnotationMatchingPointcut(null, Idempotent.class, true), interceptor);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Class<?> type = AopUtils.getTargetClass(bean);
    for (Method method :
        MethodIntrospector.selectMethods(type, IdempotentPostProcessor::annotated)) {
      interceptor.prepare(type, method);
    }
    return super.postProcessAfterInitialization(bean, name);
  }

  private static boolean annotated(@Nullable Method method) {
    return method != null && AnnotatedElementUtils.hasAnnotation(method, Idempotent.class);
  }
}

package io.penstock.spring;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.task.Tasks;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Predicate;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Runs {@code @Transactional} methods of the store again after a conflict, as {@code Penstock.transact} does with its
 * body: those that begin a transaction, until they have committed it or a budget is used up, with random pauses. Not
 * those with {@link RunOnce}, nor what such a method is called by.
 */
final class TransactionRepetition extends StaticMethodMatcherPointcutAdvisor {
    private static final long serialVersionUID = 1;
    private static final long PAUSE_MILLIS_MAX = 10;

    private final transient AnnotationTransactionAttributeSource transactions =
            new AnnotationTransactionAttributeSource();
    private final transient Predicate<TransactionAttribute> ofStore;

    /**
     * @param ofStore whether a transaction is one of the store
     * @param store asked for at the first call, since an advisor is made before other beans, as are the settings
     * @param budget the time after which a method is not run again; zero: never
     */
    TransactionRepetition(
            Predicate<TransactionAttribute> ofStore,
            ObjectProvider<Penstock> store,
            ObjectProvider<Settings> settings,
            Duration budget) {
        this.ofStore = ofStore;
        // Around the transaction, which has the lowest precedence.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        setAdvice((MethodInterceptor) call -> run(call, store, settings, budget));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(method, type);
        return attribute != null && ofStore.test(attribute) && (mayBegin(attribute) || isRunOnce(method, type));
    }

    private static boolean mayBegin(TransactionAttribute attribute) {
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED,
                    TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                    TransactionDefinition.PROPAGATION_NESTED -> true;
            default -> false;
        };
    }

    private static boolean isRunOnce(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(AopUtils.getMostSpecificMethod(method, type), RunOnce.class)
                || AnnotatedElementUtils.hasAnnotation(type, RunOnce.class);
    }

    private @Nullable Object run(
            MethodInvocation call, ObjectProvider<Penstock> store, ObjectProvider<Settings> settings, Duration budget)
            throws Throwable {
        Class<?> type = type(call);
        if (isRunOnce(call.getMethod(), type)) {
            Attempt.setAllLast();
            return call.proceed();
        }
        TransactionAttribute attribute = transactions.getTransactionAttribute(call.getMethod(), type);
        boolean begins = BoundTransaction.isNone(store.getObject())
                || attribute != null
                        && attribute.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRES_NEW;
        return begins ? repeated(call, store.getObject().tasks(), settings, budget) : call.proceed();
    }

    private static Class<?> type(MethodInvocation call) {
        Object target = call.getThis();
        return target == null ? call.getMethod().getDeclaringClass() : target.getClass();
    }

    private @Nullable Object repeated(
            MethodInvocation call, Tasks tasks, ObjectProvider<Settings> settings, Duration budget) throws Throwable {
        long begun = tasks.nanoTime();
        while (true) {
            Attempt attempt = new Attempt(false);
            try (attempt) {
                // An invocation goes through its interceptors once.
                return ((ProxyMethodInvocation) call).invocableClone().proceed();
            } catch (OptimisticLockingFailureException conflict) {
                if (attempt.isLast()) {
                    throw conflict;
                }
                boolean again = Attempt.mayMend(conflict) && tasks.nanoTime() - begun < budget.toNanos();
                count(again, call, settings.getObject());
                if (!again) {
                    throw conflict;
                }
            }
            tasks.sleep(Duration.ofMillis(1 + tasks.random().nextLong(PAUSE_MILLIS_MAX)));
        }
    }

    /** Counts a conflict in the store's own meters, where those of its bodies are. */
    private void count(boolean again, MethodInvocation call, Settings settings) {
        TransactionAttribute attribute = transactions.getTransactionAttribute(call.getMethod(), type(call));
        ConsistencyLevel chosen = attribute == null
                ? null
                : PenstockTransactionManager.level(attribute.getIsolationLevel(), settings.level());
        String level = (chosen == null ? settings.level() : chosen).name();
        settings.meters()
                .counter(again ? "penstock.transaction.retries" : "penstock.transaction.aborts", "level", level)
                .increment();
    }
}

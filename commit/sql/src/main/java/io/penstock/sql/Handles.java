package io.penstock.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.Objects;
import java.util.UUID;
import org.apache.calcite.jdbc.CalciteConnection;
import org.jspecify.annotations.Nullable;

/**
 * The connections and statements that programs get: those of Calcite, with the transactions of the store, and with
 * failures as {@link SqlFailures} tells them.
 */
final class Handles {
    private Handles() {}

    static Connection connection(Connection inner, SqlSession session) {
        return proxy(Connection.class, new OfConnection(inner, session));
    }

    /** A statement of a connection, which a program may have wrapped. */
    static PreparedStatement prepared(Connection connection, Object inner) {
        return proxy(PreparedStatement.class, new OfStatement(connection, inner));
    }

    private static <T> T proxy(Class<T> type, Handle handler) {
        return type.cast(Proxy.newProxyInstance(Handles.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw SqlFailures.of(Objects.requireNonNullElse(failure.getCause(), failure));
        }
    }

    @SuppressWarnings("ReferenceEquality") // this is what equals does
    private static boolean isSame(Object proxy, @Nullable Object other) {
        return proxy == other;
    }

    private static Object argument(@Nullable Object @Nullable [] arguments) {
        return Objects.requireNonNull(arguments == null ? null : arguments[0]);
    }

    /** The calls of one object. */
    private interface Handle extends InvocationHandler {
        @Nullable
        Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable;

        @Override
        default @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            @Nullable Object[] arguments = given == null ? new @Nullable Object[0] : given;
            try {
                return switch (method.getName()) {
                    case "equals" -> isSame(proxy, arguments[0]);
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> answer(proxy, method, arguments);
                };
            } catch (RuntimeException failure) {
                throw SqlFailures.of(failure);
            }
        }
    }

    private record OfConnection(Connection inner, SqlSession session) implements Handle {
        @Override
        public @Nullable Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "close" -> close(method, arguments);
                case "getAutoCommit" -> session.isAutoCommit();
                case "setAutoCommit" -> done(() -> session.setAutoCommit((Boolean) argument(arguments)));
                case "commit" -> done(() -> session.end(true));
                case "rollback" -> done(() -> session.end(false));
                case "getTransactionIsolation" -> session.isolation();
                case "setTransactionIsolation" -> done(() -> session.setIsolation((Integer) argument(arguments)));
                case "isReadOnly" -> true;
                case "createStatement" ->
                    proxy(Statement.class, new OfStatement((Connection) proxy, called(method, arguments)));
                case "prepareStatement" -> prepared((Connection) proxy, called(method, arguments));
                case "getMetaData" -> proxy(DatabaseMetaData.class, new OfMetaData(proxy, called(method, arguments)));
                default -> call(inner, method, arguments);
            };
        }

        private Object called(Method method, @Nullable Object[] arguments) throws Throwable {
            return Objects.requireNonNull(call(inner, method, arguments));
        }

        private @Nullable Object close(Method method, @Nullable Object[] arguments) throws Throwable {
            if (!inner.isClosed()) {
                session.close();
            }
            return call(inner, method, arguments);
        }
    }

    /** A call of a session. */
    private interface Call {
        void run() throws java.sql.SQLException;
    }

    private static @Nullable Object done(Call call) throws java.sql.SQLException {
        call.run();
        return null;
    }

    private record OfMetaData(Object connection, Object inner) implements Handle {
        @Override
        public @Nullable Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
            return method.getName().equals("getConnection") ? connection : call(inner, method, arguments);
        }
    }

    private record OfStatement(Connection connection, Object inner) implements Handle {
        @Override
        public @Nullable Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "getConnection" -> connection;
                case "setObject", "setDate", "setTimestamp" -> set(method, arguments);
                case "execute", "executeQuery" -> execute((Statement) inner, method, arguments);
                default -> call(inner, method, arguments);
            };
        }

        private static @Nullable Object execute(Statement statement, Method method, @Nullable Object[] arguments)
                throws Throwable {
            SqlSession.of(statement.getConnection().unwrap(CalciteConnection.class))
                    .setRowsMax(statement.getLargeMaxRows());
            return call(statement, method, arguments);
        }

        /** Binds times as those of java.time, which a statement tells from numbers. */
        private @Nullable Object set(Method method, @Nullable Object[] arguments) throws Throwable {
            Object value = arguments[1];
            Object third = arguments.length > 2 ? arguments[2] : null;
            Object time = switch (value) {
                case Date date ->
                    third instanceof Calendar calendar ? at(date, calendar).toLocalDate() : date.toLocalDate();
                case Time clock -> null;
                case java.util.Date moment ->
                    third instanceof Calendar calendar
                            ? at(moment, calendar)
                            : new Timestamp(moment.getTime()).toLocalDateTime();
                case String text
                when Objects.equals(third, Types.DATE) -> Date.valueOf(text).toLocalDate();
                case String text
                when Objects.equals(third, Types.TIMESTAMP) ->
                    Timestamp.valueOf(text).toLocalDateTime();
                case LocalDate date -> date;
                case LocalDateTime moment -> moment;
                case Instant moment -> moment;
                case UUID id -> id.toString();
                case null, default -> null;
            };
            return time == null
                    ? call(inner, method, arguments)
                    : done(() -> ((PreparedStatement) inner).setObject((Integer) argument(arguments), time));
        }

        private static LocalDateTime at(java.util.Date moment, Calendar calendar) {
            return LocalDateTime.ofInstant(
                    Instant.ofEpochMilli(moment.getTime()),
                    calendar.getTimeZone().toZoneId());
        }
    }
}

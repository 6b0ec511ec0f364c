package io.penstock.sql;

import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.regex.Pattern;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.jspecify.annotations.Nullable;

/**
 * Failures as JDBC tells them: one line, a SQLState, and the store's {@link io.penstock.core.ErrorCode} where there is
 * one, as the first word of the message. The cause is the store's exception.
 */
final class SqlFailures {
    private static final Pattern UNKNOWN_COLUMN = Pattern.compile("(Column|Table) '.*' not found.*", Pattern.DOTALL);
    private static final Pattern UNKNOWN_TABLE = Pattern.compile("Object '.*' not found.*", Pattern.DOTALL);
    private static final int LINE_MAX = 300;

    private SqlFailures() {}

    /** A statement that would write. */
    static SQLException writes() {
        InvalidRequestException refused = new InvalidRequestException(
                ErrorCode.READ_ONLY, "SQL only reads here; write by the collections of the store");
        return new SQLNonTransientException(message(refused), "25006", refused);
    }

    /** The exception of JDBC for a failure: that which is one already, or the first known one of its causes. */
    static SQLException of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            SQLException known = known(cause);
            if (known != null) {
                return known;
            }
        }
        return failure instanceof SQLException sql
                ? new SQLException(line(sql.getMessage()), "HY000", sql)
                : new SQLException(line("the statement failed: " + failure), "HY000", failure);
    }

    private static @Nullable SQLException known(Throwable cause) {
        return switch (cause) {
            case SQLException sql
            when sql.getSQLState() != null || sql instanceof SQLFeatureNotSupportedException -> sql;
            case StoreException store -> of(store);
            case SqlParseException wrong ->
                new SQLSyntaxErrorException(line("wrong SQL: " + wrong.getMessage()), "42601", wrong);
            case CalciteContextException wrong -> wrong(wrong);
            case RelOptPlanner.CannotPlanException unknown ->
                new SQLFeatureNotSupportedException(line("there is no plan for this SQL"), "0A000", unknown);
            case ArithmeticException failed ->
                new SQLNonTransientException(
                        "an expression failed: " + failed.getMessage(),
                        String.valueOf(failed.getMessage()).contains("zero") ? "22012" : "22003",
                        failed);
            case NumberFormatException failed ->
                new SQLNonTransientException(line("an expression failed: " + failed.getMessage()), "22018", failed);
            case StackOverflowError deep ->
                new SQLSyntaxErrorException("the statement is nested too deeply; divide it", "54001", deep);
            default -> null;
        };
    }

    private static SQLException wrong(CalciteContextException wrong) {
        Throwable cause = wrong.getCause();
        String message = cause instanceof SqlValidatorException && cause.getMessage() != null
                ? cause.getMessage()
                : String.valueOf(wrong.getMessage());
        String state = UNKNOWN_COLUMN.matcher(message).matches()
                ? "42S22"
                : UNKNOWN_TABLE.matcher(message).matches() ? "42S02" : "42000";
        String place = " line=" + wrong.getPosLine() + " column=" + wrong.getPosColumn();
        return new SQLSyntaxErrorException(line(message) + place, state, wrong);
    }

    private static SQLException of(StoreException failure) {
        String message = message(failure);
        return switch (failure) {
            case ConflictException conflict -> new SQLTransactionRollbackException(message, "40001", conflict);
            case UnavailableException unavailable -> new SQLTransientException(message, "08006", unavailable);
            case OutcomeUnknownException unknown -> new SQLTransientException(message, "08007", unknown);
            case ClosedException closed -> new SQLNonTransientException(message, "08003", closed);
            case CorruptDataException corrupt -> new SQLNonTransientException(message, "58030", corrupt);
            case DuplicateException duplicate -> new SQLNonTransientException(message, "23505", duplicate);
            case InvalidRequestException invalid -> new SQLNonTransientException(message, "22023", invalid);
        };
    }

    private static String message(StoreException failure) {
        return failure.code() + ": " + failure.getMessage();
    }

    /** A message in one line that is not too long. */
    private static String line(@Nullable String message) {
        String line = String.valueOf(message).strip().replaceAll("\\s*\\R\\s*", " ");
        return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + " ...";
    }

    /** Throws the exception of JDBC for a failure, from where none is declared. */
    static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
            throw fatal;
        }
        throw SqlFailures.<RuntimeException>thrown(of(failure));
    }

    /** Throws an exception that the compiler takes for another one: the cast is erased. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E thrown(Throwable failure) throws E {
        throw (E) failure;
    }
}

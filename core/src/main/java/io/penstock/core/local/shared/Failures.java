package io.penstock.core.local.shared;

import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Objects;

/** The bytes of exceptions: their kind, code and text. */
final class Failures {
    private enum Kind {
        CONFLICT,
        UNAVAILABLE,
        REFUSED,
        UNKNOWN,
        CORRUPT,
        INVALID,
        DUPLICATE
    }

    private Failures() {}

    static void write(DataOutputStream out, StoreException failure) throws IOException {
        out.writeByte(kind(failure).ordinal());
        ErrorCode code = failure instanceof ClosedException ? ErrorCode.UNAVAILABLE : failure.code();
        Values.write(out, code.name());
        Values.write(out, failure.getMessage());
    }

    private static Kind kind(StoreException failure) {
        return switch (failure) {
            case ConflictException e -> Kind.CONFLICT;
            case RefusedException e -> Kind.REFUSED;
            case UnavailableException e -> Kind.UNAVAILABLE;
            case OutcomeUnknownException e -> Kind.UNKNOWN;
            case CorruptDataException e -> Kind.CORRUPT;
            case InvalidRequestException e -> Kind.INVALID;
            case DuplicateException e -> Kind.DUPLICATE;
            // Of the owner's handle; that of the caller is open.
            case ClosedException e -> Kind.UNAVAILABLE;
        };
    }

    static StoreException read(DataInputStream in) throws IOException {
        int number = in.readUnsignedByte();
        if (number >= Kind.values().length) {
            throw new IOException("no failure of this protocol: " + number);
        }
        ErrorCode code = ErrorCode.valueOf((String) Objects.requireNonNull(Values.read(in)));
        String text = (String) Objects.requireNonNull(Values.read(in));
        return switch (Kind.values()[number]) {
            case CONFLICT -> new ConflictException(text);
            case UNAVAILABLE -> new UnavailableException(code, text);
            case REFUSED -> new RefusedException(code, text);
            case UNKNOWN -> new OutcomeUnknownException(text);
            case CORRUPT -> new CorruptDataException(code, text);
            case INVALID -> new InvalidRequestException(code, text);
            case DUPLICATE -> new DuplicateException(text);
        };
    }
}

package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The keys that seal the data keys of stores and values. They never leave this object, and what they have sealed opens
 * with them alone: who destroys a master key erases all that rests on it, in stores, copies and backups.
 *
 * <p>A program may have its own, such as one on a hardware module. Safe for use by many threads.
 */
public interface MasterKeys {
    /** The name of the key that seals new data keys: 1 to 200 printable characters without a space, and 255 bytes. */
    String current();

    /**
     * Seals a data key.
     *
     * @param name of the master key
     * @param context of the data key, which is authenticated with it
     * @throws InvalidRequestException of code {@code NO_KEY} when there is no key of this name
     */
    Bytes seal(String name, Bytes dataKey, Bytes context);

    /**
     * Opens a data key.
     *
     * @throws InvalidRequestException of code {@code NO_KEY} when there is no key of this name, or another has sealed
     *     it, or in another context
     */
    Bytes open(String name, Bytes sealed, Bytes context);

    /**
     * Keys by text: {@code file:PATH}, {@code env:VARIABLE}, {@code kms:KEY} ({@link KmsKeys}), or the lines that such
     * a file has.
     */
    static MasterKeys of(String text) {
        if (text.startsWith("file:")) {
            try {
                return file(Path.of(text.substring("file:".length())));
            } catch (InvalidPathException e) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_SETTING, "no file of master keys has such a path; correct it", "path", text);
            }
        }
        if (text.startsWith("kms:")) {
            return KmsKeys.of(text.substring("kms:".length()));
        }
        return text.startsWith("env:") ? environment(text.substring("env:".length())) : given(text);
    }

    /**
     * Keys of a file, which is read whenever one is needed. A line has a name and 32 bytes in base64, such as those of
     * {@code openssl rand -base64 32}; a key may do without a name. The first line is the current key.
     */
    static MasterKeys file(Path file) {
        return new GivenKeys("file " + file, () -> read(file));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new InvalidRequestException(
                    ErrorCode.NO_KEY,
                    "the file of master keys cannot be read; check its path and its rights",
                    e,
                    "file",
                    file,
                    "why",
                    e.getClass().getSimpleName());
        }
    }

    /** Keys of an environment variable, in the form of a file of keys; commas count as ends of lines. */
    static MasterKeys environment(String variable) {
        return new GivenKeys("variable " + variable, () -> {
            String text = System.getenv(variable);
            return text == null ? "" : text;
        });
    }

    /** Keys that are given, in the form of a file of keys; commas count as ends of lines. */
    static MasterKeys given(String text) {
        return new GivenKeys("setting encryption", () -> text);
    }
}

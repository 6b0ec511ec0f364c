package io.penstock.core.remote;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of an answer whose head gave its length. Some HTTP clients do not notice when a connection ends before that;
 * this stream fails then, so that half a body never passes for a whole one. For one thread.
 */
public final class WholeBody extends FilterInputStream {
    private long left;

    /** @param length the length in the head, in bytes */
    public WholeBody(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? -1 : 1);
        return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        count(read);
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = super.skip(count);
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(int read) throws IOException {
        if (read >= 0) {
            left -= read;
        } else if (left > 0) {
            throw new EOFException("the body of an answer ended early");
        }
    }
}

package io.penstock.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file's channel whose changes a test may watch or refuse. What the local cloud does not use is refused. */
abstract class WatchedChannel extends FileChannel {
    final FileChannel real;

    WatchedChannel(FileChannel real) {
        this.real = real;
    }

    /** Called for every write. */
    abstract int written(ByteBuffer bytes, long position) throws IOException;

    abstract void truncated(long size) throws IOException;

    abstract void forced() throws IOException;

    @Override
    public final int write(ByteBuffer bytes, long position) throws IOException {
        return written(bytes, position);
    }

    @Override
    public final int write(ByteBuffer bytes) throws IOException {
        int count = written(bytes, real.position());
        real.position(real.position() + count);
        return count;
    }

    @Override
    public final long write(ByteBuffer[] parts, int offset, int length) throws IOException {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += write(parts[i]);
        }
        return count;
    }

    @Override
    public final FileChannel truncate(long size) throws IOException {
        truncated(size);
        real.truncate(size);
        return this;
    }

    @Override
    public final void force(boolean metaData) throws IOException {
        // The real disk need not take part: a test's machine is not cut off.
        forced();
    }

    @Override
    public final int read(ByteBuffer target) throws IOException {
        return real.read(target);
    }

    @Override
    public final int read(ByteBuffer target, long position) throws IOException {
        return real.read(target, position);
    }

    @Override
    public final long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return real.read(targets, offset, length);
    }

    @Override
    public final long position() throws IOException {
        return real.position();
    }

    @Override
    public final FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public final long size() throws IOException {
        return real.size();
    }

    @Override
    public final long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected final void implCloseChannel() throws IOException {
        real.close();
    }
}

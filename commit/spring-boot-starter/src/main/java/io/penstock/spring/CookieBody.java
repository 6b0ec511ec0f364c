package io.penstock.spring;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/** The body of an answer, before whose first byte something is done. For one thread. */
final class CookieBody {
    private CookieBody() {}

    static final class Stream extends ServletOutputStream {
        private final ServletOutputStream body;
        private final Runnable before;

        Stream(ServletOutputStream body, Runnable before) {
            this.body = body;
            this.before = before;
        }

        @Override
        public void write(int one) throws IOException {
            before.run();
            body.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            before.run();
            body.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            before.run();
            body.flush();
        }

        @Override
        public void close() throws IOException {
            before.run();
            body.close();
        }

        @Override
        public boolean isReady() {
            return body.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            body.setWriteListener(listener);
        }
    }

    /** Returns a writer without a buffer of its own. */
    static PrintWriter writer(PrintWriter body, Runnable before) {
        return new PrintWriter(new Text(body, before)) {
            @Override
            public boolean checkError() {
                boolean failed = super.checkError();
                return body.checkError() || failed;
            }
        };
    }

    private static final class Text extends FilterWriter {
        private final Runnable before;

        Text(PrintWriter body, Runnable before) {
            super(body);
            this.before = before;
        }

        @Override
        public void write(int one) throws IOException {
            before.run();
            super.write(one);
        }

        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            before.run();
            super.write(text, offset, length);
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            before.run();
            super.write(text, offset, length);
        }

        @Override
        public void flush() throws IOException {
            before.run();
            super.flush();
        }

        @Override
        public void close() throws IOException {
            before.run();
            super.close();
        }
    }
}

package io.penstock.cli.transfer;

import io.penstock.Entry;
import io.penstock.core.Bytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** CSV lines of key and payload in base64, which has no character that CSV would have to quote. */
final class Csv implements RecordFormat.Lines {
    @Override
    public String head() {
        return "key,payload";
    }

    @Override
    public void write(OutputStream out, Bytes key, Bytes payload) throws IOException {
        out.write(Base64.getEncoder().encode(key.toArray()));
        out.write(',');
        out.write(Base64.getEncoder().encode(payload.toArray()));
    }

    @Override
    public Entry<Bytes, Bytes> read(byte[] line) throws IOException {
        String text = new String(line, StandardCharsets.ISO_8859_1);
        int comma = text.indexOf(',');
        if (comma < 0) {
            throw new IOException("a comma is missing");
        }
        return new Entry<>(decode(text.substring(0, comma)), decode(text.substring(comma + 1)));
    }

    private static Bytes decode(String field) throws IOException {
        try {
            return Bytes.wrap(Base64.getDecoder().decode(field));
        } catch (IllegalArgumentException e) {
            throw new IOException("not base64");
        }
    }
}

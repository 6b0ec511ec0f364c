package io.penstock.parquet;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The compression of Parquet's pages. Parquet's own factory of codecs asks Hadoop for each. Stateless. */
final class Zstandard implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        return new BytesInputCompressor() {
            @Override
            public BytesInput compress(BytesInput bytes) throws IOException {
                return BytesInput.from(Zstd.compress(bytes.toByteArray()));
            }

            @Override
            public CompressionCodecName getCodecName() {
                return codec;
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        return new BytesInputDecompressor() {
            @Override
            public BytesInput decompress(BytesInput bytes, int length) throws IOException {
                return BytesInput.from(Zstd.decompress(bytes.toByteArray(), length));
            }

            @Override
            public void decompress(ByteBuffer in, int inBytes, ByteBuffer out, int length) {
                byte[] packed = new byte[inBytes];
                in.get(packed);
                out.put(Zstd.decompress(packed, length));
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public void release() {}
}

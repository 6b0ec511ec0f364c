package io.penstock.parquet;

import io.penstock.cli.program.TableFile;
import io.penstock.query.Field;
import io.penstock.query.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;

/** Parquet files, compressed by Zstandard, with a column for each field. Thread safe: stateless. */
public final class ParquetFile implements TableFile {
    /** Makes the format. */
    public ParquetFile() {}

    @Override
    public String name() {
        return "parquet";
    }

    @Override
    public void write(Path file, List<Field<?>> fields, Iterator<Row> rows) throws IOException {
        try (ParquetWriter<Row> writer = new Builder(file, new Columns(fields)).build()) {
            while (rows.hasNext()) {
                writer.write(rows.next());
            }
        }
    }

    private static final class Builder extends ParquetWriter.Builder<Row, Builder> {
        private final Columns columns;

        Builder(Path file, Columns columns) {
            super(new LocalOutputFile(file));
            this.columns = columns;
            // Hadoop's own configuration and codecs need many more of its classes.
            withConf(new PlainParquetConfiguration());
            withCompressionCodec(CompressionCodecName.ZSTD);
            withCodecFactory(new Zstandard());
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        protected WriteSupport<Row> getWriteSupport(ParquetConfiguration unused) {
            return columns;
        }

        @Override
        protected WriteSupport<Row> getWriteSupport(org.apache.hadoop.conf.Configuration unused) {
            return columns;
        }
    }
}

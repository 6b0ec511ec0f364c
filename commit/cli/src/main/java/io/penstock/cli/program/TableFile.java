package io.penstock.cli.program;

import io.penstock.query.Field;
import io.penstock.query.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/** A format of files with columns, which {@code penstock export} finds as a service. Stateless. */
public interface TableFile {
    /** The name that {@code --format} takes. */
    String name();

    /** Writes all rows to a new file. A row has the values of the fields, in their order. */
    void write(Path file, List<Field<?>> fields, Iterator<Row> rows) throws IOException;
}

package io.penstock.commit.log;

import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;

/** One redo log record: the after-image of one record (or its deletion) of one tree, with the transaction's stamp. */
public record LogRecord(TreeId tree, RecordChange change) {}

/**
 * The report: experiments as tables of commands, their measurement, and HTML, Markdown and CSV made from it. Every
 * number is a field of the JSON that the command beside it prints.
 */
@NullMarked
package io.penstock.bench.tpcw.report;

import org.jspecify.annotations.NullMarked;

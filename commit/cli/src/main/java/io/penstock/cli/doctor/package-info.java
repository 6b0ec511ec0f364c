/** The examination of a store and its place: probes, and the judgement of what they found. */
package io.penstock.cli.doctor;

/** The protocol of commit, checkpoint and recovery in small, and a search through all its states. See docs/MODEL.md. */
package io.penstock.commit.model;

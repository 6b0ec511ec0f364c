/** The settings of an open store in the form that its rooms read: plain values, checked once. */
package io.penstock.commit.settings;

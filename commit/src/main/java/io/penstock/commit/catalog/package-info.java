/** What collections a store has: one object for each, written once. */
package io.penstock.commit.catalog;

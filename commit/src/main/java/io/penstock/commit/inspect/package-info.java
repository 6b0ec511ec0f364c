/** What a store looks like inside, in words for people: pure descriptions of pages, trees and ledgers. */
package io.penstock.commit.inspect;

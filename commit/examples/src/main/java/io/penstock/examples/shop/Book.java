package io.penstock.examples.shop;

/** A book and the copies that are left of it. */
public record Book(String isbn, String title, int stock) {
    Book sold() {
        return new Book(isbn, title, stock - 1);
    }
}

package shop

import io.penstock.ConsistencyLevel
import io.penstock.Json
import io.penstock.KeySpan
import io.penstock.Keys
import io.penstock.Penstock
import io.penstock.annotation.Indexed
import io.penstock.annotation.Key
import io.penstock.annotation.Stored
import io.penstock.annotation.Version
import io.penstock.spring.data.Query
import java.time.Instant
import org.springframework.data.repository.CrudRepository

@Stored("books")
data class Book(
    @Key val isbn: String,
    @Indexed val author: String,
    val stock: Int = 1,
    val added: Instant? = null,
    @Version val version: Long = 0,
)

interface Books : CrudRepository<Book, String> {
    fun findByAuthor(author: String): List<Book>

    fun findFirstByStockGreaterThan(stock: Int): Book?

    @Query("select isbn from books where stock < :stock")
    fun scarce(stock: Int): List<Book>
}

data class Note(val text: String, val stars: Int = 3, val by: String? = null)

object Shop {
    /** By collections, as in docs/FAQ.md. */
    @JvmStatic
    fun notes(store: Penstock): List<Note> {
        val notes = store.collection("notes", Keys.string(), Json.of(Note::class.java))
        val byAuthor = notes.index("by", Keys.string(), Note::by)
        notes.put("a", Note("Dams", by = "Ada"))
        notes.put("b", Note("Weirs"))
        notes.update("a") { found -> found.map { it.copy(stars = it.stars + 1) } }
        check(store.transact { tx -> tx.get(notes, "a").map { it.stars }.orElse(0) } == 4)
        return byAuthor.scan("Ada").use { scan -> scan.map { it.value() }.toList() } +
            notes.scan(KeySpan.all()).use { scan -> scan.map { it.value() }.toList() }
    }

    /** By a repository. */
    @JvmStatic
    fun books(books: Books): List<Any?> {
        val saved = books.save(Book("1", "Ada", added = Instant.EPOCH))
        books.save(saved.copy(stock = 7))
        books.save(Book("2", "Bob", stock = 0))
        return listOf(
            saved.version,
            books.findByAuthor("Ada").single().stock,
            books.findFirstByStockGreaterThan(9),
            books.findFirstByStockGreaterThan(5)?.isbn,
            books.scarce(1).single().author,
        )
    }
}

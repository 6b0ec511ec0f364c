package io.penstock.spring.data;

import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.ListCrudRepository;

/** The list that every shop has. */
interface Purchases extends ListCrudRepository<Purchase, UUID> {
    Window<Purchase> findByUserOrderByAtDesc(UUID user, ScrollPosition from, Limit limit);

    Slice<Purchase> findByUserOrderByAtDesc(UUID user, Pageable page);

    long countByUser(UUID user);
}

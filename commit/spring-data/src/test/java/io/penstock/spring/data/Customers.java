package io.penstock.spring.data;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.data.repository.ListPagingAndSortingRepository;
import org.springframework.transaction.annotation.Transactional;

/** Methods of all kinds whose names are queries. */
interface Customers extends ListCrudRepository<Customer, String>, ListPagingAndSortingRepository<Customer, String> {
    /** A projection. */
    interface Address {
        String getEmail();

        String getCity();
    }

    Optional<Customer> findByEmail(String email);

    @Nullable
    Customer findByCityAndPoints(String city, int points);

    List<Customer> findByCity(@Nullable String city);

    List<Customer> findByCityNot(@Nullable String city);

    List<Customer> findByCityAndStatus(String city, Customer.Status status);

    List<Customer> findByCityOrPointsGreaterThanEqual(String city, long points);

    List<Customer> findByCityAndPointsLessThanOrCityAndPointsGreaterThan(String a, int low, String b, int high);

    List<Customer> findByPointsBetween(int low, int high);

    List<Customer> findBySinceAfter(Instant since);

    List<Customer> findBySinceIsNull();

    List<Customer> findBySinceIsNotNullAndPointsLessThanEqual(int points);

    List<Customer> findByCityIn(Collection<String> cities);

    List<Customer> findByStatusIn(Customer.Status... states);

    List<Customer> findByCityNotIn(List<String> cities);

    List<Customer> findByIdStartingWith(String prefix);

    List<Customer> findFirst3ByOrderBySinceDescPointsAsc();

    Optional<Customer> findFirstByCityOrderByPointsDesc(String city);

    List<Customer> findByStatus(Customer.Status status, Sort sort);

    List<Customer> findByStatus(Customer.Status status, Pageable page);

    List<Customer> findByStatus(Customer.Status status, Limit limit);

    Page<Customer> findByStatusOrderByPointsDescIdDesc(Customer.Status status, Pageable page);

    List<Customer> findFirst3ByStatusOrderByIdDesc(Customer.Status status, Limit limit);

    Optional<Customer> findByEmail(String email, Limit limit);

    Stream<Customer> streamByCity(String city);

    List<Address> findAddressesByCity(String city);

    <A> List<A> findAnyByCity(String city, Class<A> type);

    long countByCity(String city);

    boolean existsByEmail(String email);

    long deleteByCity(String city);

    List<Customer> removeByStatus(Customer.Status status);

    Page<Customer> findPageByStatus(Customer.Status status, Pageable page);

    Slice<Customer> findSliceByPointsGreaterThan(int points, Pageable page);

    Window<Customer> findWindowBy(ScrollPosition from, Sort sort, Limit limit);

    Window<Customer> findTop4ByStatusOrderByPointsDesc(Customer.Status status, ScrollPosition from);

    @Transactional
    default Customer add(String id, int points) {
        Customer found = findById(id).orElseThrow();
        return save(found.with(found.points() + points));
    }
}

package io.penstock.spring.data;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Window;
import org.springframework.data.repository.CrudRepository;

interface Tickets extends CrudRepository<Ticket, Ticket.Seat> {
    List<Ticket> findBySeatHallAndSeatNumberLessThanOrderBySeatNumberDesc(String hall, int number);

    Window<Ticket> findAllBy(ScrollPosition from, Limit limit);
}

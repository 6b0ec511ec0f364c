package io.penstock.core.memory;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.testing.InlineTasks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
    private static final int MIB = 1 << 20;

    @Test
    void whatLastsGetsHalfOfWhatIsFreeAndLeavesAQuarter() {
        ByteBudget budget = new ByteBudget(64 * MIB);
        List<Long> taken = new ArrayList<>();
        for (long bytes = budget.takeLasting(8 * MIB, 64 * MIB); bytes > 0; bytes = budget.takeLasting(8 * MIB, MIB)) {
            taken.add(bytes / MIB);
        }
        assertThat(taken).containsExactly(24L, 8L, 8L, 8L);
        assertThat(budget.free()).isEqualTo(16 * MIB);
        taken.forEach(mib -> budget.give(mib * MIB));
        assertThat(budget.used()).isZero();
        budget.take(100 * MIB);
        assertThat(budget.free()).isZero();
        assertThat(budget.takeLasting(1, MIB)).isZero();
    }

    @Test
    void workIsRefusedBeforeItBeginsAndGivesBackWhatItHad() {
        WorkMemory memory = new WorkMemory(new InlineTasks(1), 20 * MIB, 64 << 10);
        assertThatThrownBy(() -> memory.lend(first -> memory.lend(second -> true)))
                .isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> memory.lend(room -> {
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
        assertThat(memory.<Boolean>lend(room -> room.bytes() >= 8 * MIB)).isTrue();
        assertThat(memory.budget().used()).isZero();
        assertThatThrownBy(() -> new WorkMemory(new InlineTasks(1), 20 * MIB, 16 * MIB).lend(room -> true))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.OUT_OF_MEMORY));
    }
}

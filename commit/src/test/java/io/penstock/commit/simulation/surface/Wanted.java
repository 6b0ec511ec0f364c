package io.penstock.commit.simulation.surface;

import io.penstock.query.Condition;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * A condition, as the store is asked for it and as a model answers it.
 *
 * @param model whether a key and a value fulfil it
 * @param words what it says
 */
record Wanted(String collection, Condition condition, BiPredicate<String, String> model, String words) {
    static Wanted draw(String collection, int keys, SplittableRandom random) {
        Wanted one = simple(collection, keys, random);
        Wanted other = simple(collection, keys, random);
        return switch (random.nextInt(4)) {
            case 0 ->
                new Wanted(
                        collection,
                        Condition.and(one.condition, other.condition),
                        one.model.and(other.model),
                        one.words + " and " + other.words);
            case 1 ->
                new Wanted(
                        collection,
                        Condition.or(one.condition, other.condition),
                        one.model.or(other.model),
                        one.words + " or " + other.words);
            default -> one;
        };
    }

    private static Wanted simple(String collection, int keys, SplittableRandom random) {
        String group = "g" + random.nextInt(Item.GROUPS);
        String low = Acts.key(random.nextInt(keys));
        String high = Acts.key(random.nextInt(keys));
        return switch (random.nextInt(6)) {
            case 0 ->
                new Wanted(
                        collection,
                        Item.KEY.between(low, high),
                        (key, value) -> key.compareTo(low) >= 0 && key.compareTo(high) <= 0,
                        "keys " + low + " to " + high);
            case 1 ->
                new Wanted(
                        collection, Item.GROUP.isNull(), (key, value) -> Item.group(value) == null, "without a group");
            case 2 ->
                new Wanted(
                        collection,
                        Condition.not(Item.GROUP.in(List.of(group, "g0"))),
                        (key, value) -> {
                            String found = Item.group(value);
                            return found != null && !found.equals(group) && !found.equals("g0");
                        },
                        "neither of g0 nor " + group);
            case 3 ->
                new Wanted(
                        collection,
                        Item.ID.gt(high),
                        (key, value) -> Item.id(value).compareTo(high) > 0,
                        "ids above " + high);
            default ->
                new Wanted(
                        collection,
                        Item.GROUP.eq(group),
                        (key, value) -> group.equals(Item.group(value)),
                        "of " + group);
        };
    }

    /** The records of a state that fulfil it, by their keys. */
    Map<String, String> records(SortedMap<String, String> state) {
        Map<String, String> found = new TreeMap<>();
        String prefix = collection + "/";
        state.subMap(prefix, collection + "0").forEach((key, value) -> {
            String rest = key.substring(prefix.length());
            if (model.test(rest, value)) {
                found.put(rest, value);
            }
        });
        return found;
    }

    @Override
    public String toString() {
        return collection + " " + words;
    }
}

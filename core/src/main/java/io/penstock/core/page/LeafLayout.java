package io.penstock.core.page;

/** A leaf that is planned: a header and a {@link LeafBody}. */
final class LeafLayout implements PageLayout {
    private final PageHeader header;
    private final LeafBody body;

    /** @param header its extension's blocks, if any, are those of an older write */
    LeafLayout(PageHeader header, LeafBody body) {
        this.header = body.describedIn(header);
        this.body = body;
    }

    @Override
    public long bytes() {
        return header.bytes() + body.bytes();
    }

    @Override
    public PageLayout under(PageHeader next) {
        return new LeafLayout(next, body);
    }

    @Override
    public PageImage encode() {
        PageComposer page = new PageComposer(header, bytes());
        EntryIndex index = body.write(page);
        LeafBlocks.seal(page.array, header);
        return page.seal(index);
    }
}

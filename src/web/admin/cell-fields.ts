/**
 * The fields of one cell in the form of a record: of which column it is, what was typed, whether nothing is meant, and a mark of what
 * was there when the page was read. By places: columns can be called as they like.
 */
export const fieldsOf = (place: number) => ({ of: `k${place}`, cell: `c${place}`, none: `n${place}`, was: `w${place}` });

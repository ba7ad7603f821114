/**
 * Field names of one cell in a record form: its column, its input, its null checkbox and the hash of its
 * previous value. They are numbered, since a column can have any name.
 */
export const cellFieldNames = (place: number) => ({
  of: `k${place}`,
  cell: `c${place}`,
  none: `n${place}`,
  was: `w${place}`,
});

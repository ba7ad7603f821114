import { CODES, TableFault } from "../data-errors.ts";

/** A clause that is invalid or compares incomparable values. The sentence says where and why. */
export const clauseFault = (sentence: string) => new TableFault(CODES.clause, sentence);

/** Characters of a quoted text, enough to find it. */
const MAX_QUOTE = 60;
export const truncateQuote = (text: string) =>
  text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;

/** A column that does not exist, or is hidden from the caller: the same message for both. */
export const columnNotFound = (name: string, table: string) =>
  new TableFault(CODES.columnNotFound, `Column '${truncateQuote(name)}' does not exist in table '${table}'`);

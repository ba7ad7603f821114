import { type Message, msg } from "#platform/messages";
import { CODES, TableFault } from "../data-errors.ts";

/** A clause that is invalid or compares incomparable values. The message says why. */
export const clauseFault = (message: Message) => new TableFault(CODES.clause, message);

/** The same with the place: `at` counts characters from 0. */
export const clauseFaultAt = (at: number, what: Message) =>
  clauseFault(msg("At character {place} of the clause {what}", { place: at + 1, what }));

/** Characters of a quoted text, enough to find it. */
const MAX_QUOTE = 60;
export const truncateQuote = (text: string) =>
  text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;

/** A column that does not exist, or is hidden from the caller: the same message for both. */
export const columnNotFound = (name: string, table: string) =>
  new TableFault(
    CODES.columnNotFound,
    msg("Column ''{name}'' does not exist in table ''{table}''", { name: truncateQuote(name), table }),
  );

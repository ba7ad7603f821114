import { type Message, msg } from "#platform/messages";
import { CODES, TableFault } from "../data-errors.ts";

/** Error for a clause that is invalid or compares incomparable values. */
export const clauseFault = (message: Message) => new TableFault(CODES.clause, message);

/** Error for a position in a clause, where `at` counts characters from 0. */
export const clauseFaultAt = (at: number, what: Message) =>
  clauseFault(msg("Character {place} of the clause: {what}", { place: at + 1, what }));

/** Maximum characters of a clause quoted in an error. */
const MAX_QUOTE = 60;
export const truncateQuote = (text: string) =>
  text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;

/** Error for a column that does not exist or is hidden from the caller; the message is the same for both. */
export const columnNotFound = (name: string, table: string) =>
  new TableFault(
    CODES.columnNotFound,
    msg("Column ''{name}'' does not exist in table ''{table}''", { name: truncateQuote(name), table }),
  );

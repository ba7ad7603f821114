import { type Reason, Refusal } from "#platform/refusal";

/** A refusal with the code that clients know, and further data for them. */
export class TableFault extends Refusal {
  readonly code: number;
  constructor(code: number, sentence: string, reason: Reason = "invalid", data?: Record<string, unknown>) {
    super(reason, sentence, data && { data });
    this.code = code;
  }
}

/** Codes that clients know, and our own where they know none. */
export const CODES = {
  objectNotFound: 1000,
  /** An invalid value for its column: wrong type, too long, not a date. */
  badValue: 1007,
  tableNotFound: 1009,
  notPermitted: 1011,
  /** An existing record, or a duplicate of a unique value. */
  taken: 1155,
  columnNotFound: 1006,
  /** A clause that is invalid or compares incomparable values. */
  clause: 1017,
  tooSlow: 1018,
  missingValues: 1020,
  /** Beyond a limit: tables, columns, records, depth. */
  tooMuch: 1021,
  /** An invalid change of the schema. */
  schema: 1022,
  badRequest: 1023,
  transaction: 1101,
} as const;

export const tableNotFound = (name: string) =>
  new TableFault(
    CODES.tableNotFound,
    `Table not found by name '${name}'. Make sure the client class referenced in the API call has the same ` +
      "literal name as the table in Backendless console",
    "not-found",
  );

export const objectNotFound = (objectId: string) =>
  new TableFault(CODES.objectNotFound, `Entity with ID ${objectId} not found`, "not-found");

export const invalidTypes = (columns: string[]) =>
  new TableFault(
    CODES.badValue,
    `Unable to save object - invalid data type for properties - ${columns.join(", ")}. ` +
      "You can change the property type in developer console.",
  );

export const invalidDate = (column: string) =>
  new TableFault(CODES.badValue, `Invalid date format for property ${column}`);

/** Clients parse this list format. */
export const missingValues = (columns: string[]) =>
  new TableFault(
    CODES.missingValues,
    `Values are required for properties - ${columns.join(", ")}`,
    "invalid",
    { propeties: columns },
  );

export const dataTooLarge = (sentence: string) => new TableFault(CODES.tooMuch, sentence, "too-large");
export const badRequest = (sentence: string) => new TableFault(CODES.badRequest, sentence);
export const schemaFault = (sentence: string, reason: Reason = "invalid") =>
  new TableFault(CODES.schema, sentence, reason);

export const notPermittedToGrant = () =>
  new TableFault(
    CODES.notPermitted,
    "Only the owner of an object can change its permissions. KITH_API_DEFAULTS=hosted allows this call.",
    "not-allowed",
  );

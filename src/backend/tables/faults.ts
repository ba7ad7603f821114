import { type Reason, Refusal } from "#platform/refusal";

/** A refusal with the number by which clients know it, and what they may be told besides. */
export class TableFault extends Refusal {
  readonly code: number;
  constructor(code: number, sentence: string, reason: Reason = "invalid", data?: Record<string, unknown>) {
    super(reason, sentence, data && { data });
    this.code = code;
  }
}

/** The numbers that clients know, or that we have given where they know none. */
export const CODES = {
  objectNotFound: 1000,
  /** A value that is no value of its column: wrong type, too long, not a date. */
  badValue: 1007,
  tableNotFound: 1009,
  notPermitted: 1011,
  /** A record that stands already, or a value that has to be the only one of its kind. */
  taken: 1155,
  columnNotFound: 1006,
  /** A clause that cannot be read, or that compares what cannot be compared. */
  clause: 1017,
  tooSlow: 1018,
  missingValues: 1020,
  /** More than we take: tables, columns, records, depth. */
  tooMuch: 1021,
  /** A change of the tables themselves that cannot be. */
  schema: 1022,
  badRequest: 1023,
  transaction: 1101,
} as const;

export const noSuchTable = (name: string) =>
  new TableFault(
    CODES.tableNotFound,
    `Table not found by name '${name}'. Make sure the client class referenced in the API call has the same literal name as the table in Backendless console`,
    "not-found",
  );

export const noSuchObject = (objectId: string) => new TableFault(CODES.objectNotFound, `Entity with ID ${objectId} not found`, "not-found");

export const wrongType = (columns: string[]) =>
  new TableFault(
    CODES.badValue,
    `Unable to save object - invalid data type for properties - ${columns.join(", ")}. You can change the property type in developer console.`,
  );

export const badDate = (column: string) => new TableFault(CODES.badValue, `Invalid date format for property ${column}`);

/** The spelling of the list is what clients read. */
export const missingValues = (columns: string[]) =>
  new TableFault(CODES.missingValues, `Values are required for properties - ${columns.join(", ")}`, "invalid", { propeties: columns });

export const tooMuch = (sentence: string) => new TableFault(CODES.tooMuch, sentence, "too-large");
export const badRequest = (sentence: string) => new TableFault(CODES.badRequest, sentence);
export const schemaFault = (sentence: string, reason: Reason = "invalid") => new TableFault(CODES.schema, sentence, reason);

export const notPermittedToGrant = () =>
  new TableFault(
    CODES.notPermitted,
    "Only whose object it is may say who else may do what with it. KITH_API_DEFAULTS=hosted allows this call.",
    "not-allowed",
  );

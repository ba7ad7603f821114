import { type Message, msg } from "#platform/messages";
import { type Reason, Refusal } from "#platform/refusal";

/** A refusal with the error code that clients expect, and with additional data for clients. */
export class TableFault extends Refusal {
  readonly code: number;
  constructor(code: number, message: Message, reason: Reason = "invalid", data?: Record<string, unknown>) {
    super(reason, message, data && { data });
    this.code = code;
  }
}

/** Error codes: those that clients expect, and our own for other cases. */
export const CODES = {
  objectNotFound: 1000,
  /** An invalid value for its column: wrong type, too long, not a date. */
  badValue: 1007,
  tableNotFound: 1009,
  notPermitted: 1011,
  /** A record with this id exists, or a value of a unique column is in use. */
  taken: 1155,
  columnNotFound: 1006,
  /** A clause that is invalid or compares incomparable values. */
  clause: 1017,
  tooSlow: 1018,
  missingValues: 1020,
  /** A limit is exceeded: tables, columns, records or depth. */
  tooMuch: 1021,
  /** A change of the schema is invalid. */
  schema: 1022,
  badRequest: 1023,
  transaction: 1101,
} as const;

export const tableNotFound = (name: string) =>
  new TableFault(
    CODES.tableNotFound,
    msg(
      "Table not found by name ''{name}''. Make sure the client class referenced in the API call has the same " +
        "literal name as the table in Backendless console",
      { name },
    ),
    "not-found",
  );

export const objectNotFound = (id: string) =>
  new TableFault(CODES.objectNotFound, msg("Entity with ID {id} not found", { id }), "not-found");

/** Error for a write that refers to a record deleted in the meantime. */
export const relatedObjectNotFound = () =>
  new TableFault(CODES.objectNotFound, "Entity with ID of the relation not found", "not-found");

export const invalidTypes = (columns: string[]) =>
  new TableFault(
    CODES.badValue,
    columns.length === 0
      ? "Unable to save object - invalid data type for properties - . " +
          "You can change the property type in developer console."
      : msg(
          "Unable to save object - invalid data type for properties - {names}. " +
            "You can change the property type in developer console.",
          { names: columns },
        ),
  );

export const invalidDate = (name: string) =>
  new TableFault(CODES.badValue, msg("Invalid date format for property {name}", { name }));

/** Error for missing required values. Clients parse the list in its message. */
export const missingValues = (columns: string[]) =>
  new TableFault(
    CODES.missingValues,
    msg("Values are required for properties - {names}", { names: columns }),
    "invalid",
    { propeties: columns },
  );

export const dataTooLarge = (message: Message) => new TableFault(CODES.tooMuch, message, "too-large");
export const badRequest = (message: Message) => new TableFault(CODES.badRequest, message);
export const schemaFault = (message: Message, reason: Reason = "invalid") =>
  new TableFault(CODES.schema, message, reason);

export const notPermittedToGrant = () =>
  new TableFault(
    CODES.notPermitted,
    "Only the owner of an object can change its permissions. KITH_API_DEFAULTS=hosted allows this call.",
    "not-allowed",
  );

import { type Message, toEnglish, toEnglishFields } from "#platform/messages";

/** Reasons for a refusal. The API and the web interface each map them to their own codes. */
export type Reason =
  | "not-signed-in"
  | "not-allowed"
  | "not-found"
  | "invalid"
  | "conflict"
  | "gone"
  | "too-large"
  | "wrong-type"
  | "too-many"
  | "unavailable";

/** Details besides the message: the invalid field, when to retry. */
type RefusalDetails = {
  /** Messages by field name, for forms. */
  fields?: Record<string, Message>;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  /** Exact cause, for API clients with an error number for it: a key of the API's error table. */
  kind?: string;
  /** Additional values for API clients. */
  data?: Record<string, unknown>;
};

/**
 * An expected error: a reason and a message for the person, which is translated when it is answered.
 * `message` and `fields` are the English texts. Any other thrown error is a bug.
 */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: Reason;
  readonly descriptor: Message;
  readonly fieldDescriptors: Record<string, Message>;
  readonly fields: Record<string, string>;
  readonly retryAfter: number | undefined;
  readonly kind: string | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(reason: Reason, message: Message, details: RefusalDetails = {}) {
    super(toEnglish(message));
    this.reason = reason;
    this.descriptor = message;
    this.fieldDescriptors = details.fields ?? {};
    this.fields = toEnglishFields(this.fieldDescriptors);
    this.retryAfter = details.retryAfter;
    this.kind = details.kind;
    this.data = details.data;
  }
}

/** The one table from reasons to HTTP status. */
export const HTTP_STATUS = {
  "not-signed-in": 401,
  "not-allowed": 403,
  "not-found": 404,
  invalid: 422,
  conflict: 409,
  gone: 410,
  "too-large": 413,
  "wrong-type": 415,
  "too-many": 429,
  unavailable: 503,
} satisfies Record<Reason, number>;

/**
 * The same message for missing and for invisible records, so that it does not reveal whether a record
 * exists.
 */
export const notFound = () => new Refusal("not-found", "Not found.");

/** One invalid field: the form shows the message beside it. */
export const invalid = (field: string, message: Message) =>
  new Refusal("invalid", message, { fields: { [field]: message } });

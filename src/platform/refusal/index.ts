/** Why the community says no. The wire and the web each have one table from these words to their own codes. */
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

/** What a refusal may carry besides its sentence: the field at fault, when to come back. */
type Details = {
  /** Sentences by field name, for forms. */
  fields?: Record<string, string>;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
  /** What exactly was refused, for programs whose contract has a number for it: a key of the table at their door. */
  kind?: string;
  /** Facts that belong to it, for programs. */
  data?: Record<string, unknown>;
};

/**
 * A refusal is an answer, not an accident: a named reason and a sentence for the person who asked.
 * Anything else that is thrown is a bug.
 */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: Reason;
  readonly fields: Record<string, string>;
  readonly retryAfter: number | undefined;
  readonly kind: string | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(reason: Reason, sentence: string, details: Details = {}) {
    super(sentence);
    this.reason = reason;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter;
    this.kind = details.kind;
    this.data = details.data;
  }
}

/** The one table from a refusal to HTTP. */
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

/** The same words for what is absent and for what the viewer may not know of. */
export const notFound = () => new Refusal("not-found", "There is nothing here.");

/** One field is at fault: the form shows the sentence beside it. */
export const invalid = (field: string, sentence: string) => new Refusal("invalid", sentence, { fields: { [field]: sentence } });

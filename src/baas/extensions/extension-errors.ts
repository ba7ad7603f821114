import type { Message } from "#platform/messages";
import { type Reason, Refusal } from "#platform/refusal";

/** A refusal by an extension, or because of one, with the code that clients receive. */
export class ExtensionFault extends Refusal {
  readonly code: number;
  /** Whether the error is unintended and therefore shown to the operator; deliberate refusals are not. */
  readonly isMishap: boolean;
  constructor(
    code: number,
    message: Message,
    reason: Reason = "invalid",
    data?: Record<string, unknown>,
    isMishap = MISHAP_CODES.has(code),
  ) {
    super(reason, message, data && { data });
    this.code = code;
    this.isMishap = isMishap;
  }
}

/** Our own error codes. An error thrown without a code is `threw`. */
export const EXTENSION_ERROR_CODES = {
  threw: 15000,
  tooLong: 15001,
  tooMuchMemory: 15002,
  badAnswer: 15003,
  busy: 15004,
  tooDeep: 15005,
  noEvent: 15006,
};

const MISHAP_CODES = new Set([
  EXTENSION_ERROR_CODES.tooLong,
  EXTENSION_ERROR_CODES.tooMuchMemory,
  EXTENSION_ERROR_CODES.badAnswer,
  EXTENSION_ERROR_CODES.tooDeep,
]);

/** A refusal as passed between host and thread. */
export type SerializedRefusal = {
  sentence: string;
  reason: Reason;
  /** Error code given by the extension; null if the API derives the code from the kind or reason. */
  code: number | null;
  kind?: string | undefined;
  fields?: Record<string, string> | undefined;
  data?: Record<string, unknown> | undefined;
  /** Stack of an unexpected error, for the log only. */
  stack?: string | undefined;
};

const MAX_MESSAGE_LENGTH = 1_000;

export function serializeRefusal(refusal: Refusal): SerializedRefusal {
  const { message, reason, kind, fields, data } = refusal;
  const code = "code" in refusal && typeof refusal.code === "number" ? refusal.code : null;
  const sentence = message.slice(0, MAX_MESSAGE_LENGTH);
  return { sentence, reason, code, kind, fields, data };
}

export function deserializeRefusal({
  sentence,
  reason,
  code,
  kind,
  fields = {},
  data,
  stack,
}: SerializedRefusal): Refusal {
  if (code === null) return new Refusal(reason, sentence, { kind, fields, data });
  return new ExtensionFault(code, sentence, reason, data, stack !== undefined || MISHAP_CODES.has(code));
}

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

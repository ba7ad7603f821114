import { type Reason, Refusal } from "#platform/refusal";

/** A refusal by an operator's own code, or of it, with the number by which programs know it. */
export class ExtensionFault extends Refusal {
  readonly code: number;
  /** Nobody meant to refuse anything: it is for whoever looks after the extension. */
  readonly isMishap: boolean;
  constructor(code: number, sentence: string, reason: Reason = "invalid", data?: Record<string, unknown>, isMishap = OURS.has(code)) {
    super(reason, sentence, data && { data });
    this.code = code;
    this.isMishap = isMishap;
  }
}

/** The numbers that we have given: what an extension throws without a number of its own is `threw`. */
export const FAULTS = { threw: 15000, tooLong: 15001, tooMuchMemory: 15002, badAnswer: 15003, busy: 15004, tooDeep: 15005, noEvent: 15006 };

const OURS = new Set([FAULTS.tooLong, FAULTS.tooMuchMemory, FAULTS.badAnswer, FAULTS.tooDeep]);

/** A refusal as it travels between the house and a thread. */
export type TravellingFault = {
  sentence: string;
  reason: Reason;
  /** Its own number; null where the door finds one by the kind or the reason. */
  code: number | null;
  kind?: string | undefined;
  fields?: Record<string, string> | undefined;
  data?: Record<string, unknown> | undefined;
  /** Where an accident happened. It is for the log, and leaves the house no further. */
  stack?: string | undefined;
};

const LONGEST = 1_000;

/** A refusal made ready to travel. */
export function travelling(refusal: Refusal): TravellingFault {
  const { message, reason, kind, fields, data } = refusal;
  const code = "code" in refusal && typeof refusal.code === "number" ? refusal.code : null;
  return { sentence: message.slice(0, LONGEST), reason, code, kind, fields, data };
}

/** What has travelled, as a refusal again. */
export function arrived({ sentence, reason, code, kind, fields = {}, data, stack }: TravellingFault): Refusal {
  if (code === null) return new Refusal(reason, sentence, { kind, fields, data });
  return new ExtensionFault(code, sentence, reason, data, stack !== undefined || OURS.has(code));
}

import { z } from "zod";
import { PushBroadcast, PushSinglecast } from "./broadcast.ts";

/** Bytes of a message with its options, as JSON. */
export const LARGEST = 64_000;
const MOST_HEADERS = 50;
const YEAR = 366 * 24 * 60 * 60;

const Line = z
  .string("is a text")
  .max(250, "has 250 characters at the most")
  .nullish()
  .transform((text) => text || null);

/** A timestamp in milliseconds as number or text, or a date. Empty and 0 mean none. */
const Moment = z
  .union([z.number(), z.string().max(60)], "is a moment in milliseconds")
  .nullish()
  .transform((given) => (typeof given === "string" ? (/^\d{1,15}$/.test(given) ? Number(given) : Date.parse(given)) : (given ?? 0)))
  .refine((ms) => Math.abs(ms) <= 8.64e15, "is a moment in milliseconds")
  .transform((ms) => Math.max(0, Math.round(ms)));

const Headers = z
  .record(z.string().max(100, "are called by 100 characters at the most"), z.unknown(), "are an object")
  .nullish()
  .transform((given) => Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined))
  .refine((given) => given.length <= MOST_HEADERS, `are ${MOST_HEADERS} at the most`)
  .transform((given) =>
    Object.fromEntries(given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)])),
  );

/** Names that some clients use instead. */
const POLICIES = { ALSO: "BOTH", ONLY: "PUSH", NONE: "PUBSUB" } as const;

/** A message as an API client publishes it. */
export const Publishing = z
  .object({
    message: z
      .unknown()
      .optional()
      .transform((it): unknown => it ?? null),
    headers: Headers,
    publisherId: Line,
    subtopic: Line,
    publishPolicy: z.enum(["PUSH", "PUBSUB", "BOTH"], "is PUSH, PUBSUB or BOTH").nullish().default(null),
    pushPolicy: z.enum(["ALSO", "ONLY", "NONE"], "is ALSO, ONLY or NONE").nullish(),
    pushBroadcast: PushBroadcast,
    pushSinglecast: PushSinglecast,
    publishAt: Moment,
    repeatEvery: z.coerce
      .number("is a number of seconds")
      .int("is a whole number of seconds")
      .min(0, "is not less than 0")
      .max(YEAR, "is a year at the most")
      .nullish()
      .transform((seconds) => seconds ?? 0),
    repeatExpiresAt: Moment,
  })
  .refine(
    (it) => Buffer.byteLength(JSON.stringify(it)) <= LARGEST,
    `A message has ${LARGEST} bytes at the most, with all that is said about it.`,
  )
  .transform(({ pushPolicy, ...it }) => ({ ...it, publishPolicy: it.publishPolicy ?? (pushPolicy ? POLICIES[pushPolicy] : null) }));
export type Publishing = z.output<typeof Publishing>;

/** A message as listeners receive it. */
export type Message = Omit<Publishing, "pushSinglecast"> & {
  messageId: string;
  timestamp: number;
  /** The recipients are not disclosed to listeners. */
  pushSinglecast: null;
  templateValues: null;
  query: null;
};

export type Published = { channel: string; message: Message };

export const messageAt = (messageId: string, at: Date, said: Publishing): Message => ({
  messageId,
  timestamp: at.getTime(),
  ...said,
  pushSinglecast: null,
  templateValues: null,
  query: null,
});

/** A message without options. */
export const plainMessage = (messageId: string, timestamp: number, message: unknown): Message =>
  messageAt(messageId, new Date(timestamp), {
    message,
    headers: {},
    publisherId: null,
    subtopic: null,
    publishPolicy: null,
    pushBroadcast: null,
    pushSinglecast: null,
    publishAt: 0,
    repeatEvery: 0,
    repeatExpiresAt: 0,
  });

import { z } from "zod";
import { PushBroadcast, PushSinglecast } from "./push-targets.ts";

/** Maximum bytes of a message with its options, as JSON. */
export const MAX_MESSAGE_BYTES = 64_000;
const MAX_HEADERS = 50;
const YEAR = 366 * 24 * 60 * 60;

const ShortText = z
  .string("must be a string")
  .max(250, "can have at most 250 characters")
  .nullish()
  .transform((text) => text || null);

/** A timestamp in milliseconds, as number or text, or a date. An empty value and 0 mean no timestamp. */
const TimestampInput = z
  .union([z.number(), z.string().max(60)], "must be a time in milliseconds")
  .nullish()
  .transform((given) =>
    typeof given === "string" ? (/^\d{1,15}$/.test(given) ? Number(given) : Date.parse(given)) : (given ?? 0),
  )
  .refine((ms) => Math.abs(ms) <= 8.64e15, "must be a time in milliseconds")
  .transform((ms) => Math.max(0, Math.round(ms)));

const Headers = z
  .record(z.string().max(100, "can have names of at most 100 characters"), z.unknown(), "must be an object")
  .nullish()
  .transform((given) =>
    Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined),
  )
  .refine((given) => given.length <= MAX_HEADERS, `can have at most ${MAX_HEADERS} entries`)
  .transform((given) =>
    Object.fromEntries(
      given.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    ),
  );

/** Policy names that some clients use, each with the usual name. */
const POLICY_ALIASES = { ALSO: "BOTH", ONLY: "PUSH", NONE: "PUBSUB" } as const;

/** A message as an API client publishes it. */
export const PublishInput = z
  .object({
    message: z
      .unknown()
      .optional()
      .transform((it): unknown => it ?? null),
    headers: Headers,
    publisherId: ShortText,
    subtopic: ShortText,
    publishPolicy: z.enum(["PUSH", "PUBSUB", "BOTH"], "must be PUSH, PUBSUB or BOTH").nullish().default(null),
    pushPolicy: z.enum(["ALSO", "ONLY", "NONE"], "must be ALSO, ONLY or NONE").nullish(),
    pushBroadcast: PushBroadcast,
    pushSinglecast: PushSinglecast,
    publishAt: TimestampInput,
    repeatEvery: z.coerce
      .number("must be a number of seconds")
      .int("must be a whole number of seconds")
      .min(0, "cannot be negative")
      .max(YEAR, "can be at most one year")
      .nullish()
      .transform((seconds) => seconds ?? 0),
    repeatExpiresAt: TimestampInput,
  })
  .refine((it) => Buffer.byteLength(JSON.stringify(it)) <= MAX_MESSAGE_BYTES, {
    error: "A message can have at most {count} bytes, including its headers and options.",
    params: { count: MAX_MESSAGE_BYTES },
  })
  .transform(({ pushPolicy, ...it }) => ({
    ...it,
    publishPolicy: it.publishPolicy ?? (pushPolicy ? POLICY_ALIASES[pushPolicy] : null),
  }));
export type PublishInput = z.output<typeof PublishInput>;

/** A message as listeners receive it. */
export type ChannelMessage = Omit<PublishInput, "pushSinglecast"> & {
  messageId: string;
  timestamp: number;
  /** Always null, so that listeners do not learn the recipients. */
  pushSinglecast: null;
  templateValues: null;
  query: null;
};

export type PublishedMessage = { channel: string; message: ChannelMessage };

export const createMessage = (messageId: string, at: Date, input: PublishInput): ChannelMessage => ({
  messageId,
  timestamp: at.getTime(),
  ...input,
  pushSinglecast: null,
  templateValues: null,
  query: null,
});

/** Creates a message without options. */
export const createPlainMessage = (messageId: string, timestamp: number, message: unknown): ChannelMessage =>
  createMessage(messageId, new Date(timestamp), {
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

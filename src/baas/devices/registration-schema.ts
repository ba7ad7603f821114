import { z } from "zod";
import { PROVIDER_BY_OS } from "./devices.ts";
import { parseSubscription } from "./web-push-subscription.ts";

const MAX_CHANNELS = 100;
/** Channel of a registration that names no channel. */
const DEFAULT_CHANNEL = "default";
/** Numbers below this are seconds since 1970, which some clients send; others send milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

const boundedText = (what: string, most: number) =>
  z
    .string(`must be ${what}`)
    .min(1, `must be ${what}`)
    .max(most, `can have at most ${most} characters`)
    .regex(/^[^\p{Cc}]+$/u, "cannot have control characters");

const Token = z
  .union(
    [z.string(), z.record(z.string(), z.unknown()).transform((it) => JSON.stringify(it))],
    "must be the device token",
  )
  .pipe(z.string().min(1, "must be the device token").max(4_096, "can have at most 4096 characters"))
  .refine((token) => !/[\p{Cc}]/u.test(token), "cannot have control characters");

/** A device registration as sent by a client. */
export const NewRegistration = z
  .object({
    deviceToken: Token,
    deviceId: boundedText("a device name", 200),
    os: z
      .string("must be an operating system")
      .transform((os) => os.trim().toUpperCase())
      .refine(
        (os) => Object.hasOwn(PROVIDER_BY_OS, os),
        `must be one of ${Object.keys(PROVIDER_BY_OS).join(", ")}`,
      ),
    osVersion: z.coerce
      .string()
      .max(100, "can have at most 100 characters")
      .nullish()
      .transform((it) => it ?? ""),
    channels: z
      .array(
        z.string("must be a string").max(100, "can have at most 100 characters"),
        "must be a list of channels",
      )
      .max(MAX_CHANNELS, `can have at most ${MAX_CHANNELS} entries`)
      .nullish()
      .transform((names) => (names?.length ? [...new Set(names)] : [DEFAULT_CHANNEL])),
    expiration: z
      .number("must be a moment")
      .max(8_640_000_000_000_000, "must be a moment")
      .nullish()
      .transform((at) =>
        at === null || at === undefined || at <= 0 ? null : new Date(at < SECONDS_LIMIT ? at * 1_000 : at),
      ),
  })
  .refine(({ os, deviceToken }) => PROVIDER_BY_OS[os] !== "web" || parseSubscription(deviceToken) !== null, {
    path: ["deviceToken"],
    message: "must be the browser's push subscription: JSON with endpoint and keys",
  });
export type NewRegistration = z.output<typeof NewRegistration>;

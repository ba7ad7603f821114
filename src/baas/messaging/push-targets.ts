import { z } from "zod";
import { isKeyOf } from "#platform/objects";

/** Operating systems by target name of a broadcast. Targets with an empty list are no longer supported. */
const SYSTEMS = {
  IOS: ["IOS", "IPADOS"],
  OSX: ["OSX", "MACOS"],
  MACOS: ["OSX", "MACOS"],
  TVOS: ["TVOS"],
  WATCHOS: ["WATCHOS"],
  ANDROID: ["ANDROID"],
  WEB: ["WEB", "BROWSER"],
  BROWSER: ["WEB", "BROWSER"],
  WP: [],
} as const;
type TargetName = keyof typeof SYSTEMS;

/** Bits by which older clients send target names, as a sum. */
const TARGET_BITS: [number, TargetName][] = [
  [1, "IOS"],
  [2, "ANDROID"],
  [4, "WP"],
  [8, "OSX"],
];
const ALL_BITS = 15;

/**
 * Parses target names: a number, a name, several names separated by `|` or a comma, or a list. Null means
 * all.
 */
function parseTargetNames(value: string | number | string[]): string[] | null {
  if (typeof value === "number")
    return value >= ALL_BITS ? null : TARGET_BITS.flatMap(([bit, name]) => (value & bit ? [name] : []));
  const names = (Array.isArray(value) ? value : value.split(/[|,]/)).map((name) => name.trim().toUpperCase());
  return names.includes("ALL") ? null : names;
}

/** The systems that a push is sent to, stored as the client sent them. */
export const PushBroadcast = z
  .union(
    [z.string().max(200), z.int().min(1).max(255), z.array(z.string().max(20)).min(1).max(20)],
    "must be ALL, or systems such as IOS|ANDROID|WEB",
  )
  .nullish()
  .transform((value) => (value === undefined || value === "" ? null : value))
  .refine(
    (value) =>
      value === null || (parseTargetNames(value) ?? []).every((name) => Object.hasOwn(SYSTEMS, name)),
    {
      message: `must be ALL, or some of ${Object.keys(SYSTEMS).join(", ")}`,
    },
  );

/**
 * Returns the targeted systems; null means all. Stored values may be older than the validation: invalid ones
 * select no system.
 */
export function parseTargetSystems(value: unknown): string[] | null {
  const parsed = PushBroadcast.safeParse(value);
  const names = parsed.success && parsed.data !== null ? parseTargetNames(parsed.data) : [];
  return names && [...new Set(names.flatMap((name) => (isKeyOf(SYSTEMS, name) ? SYSTEMS[name] : [])))];
}

const MAX_DEVICES = 500;

/** Ids of devices: a single one, or a list. */
export const PushSinglecast = z
  .union(
    [z.string().min(1), z.array(z.string().min(1).max(200)).max(MAX_DEVICES)],
    `must be a list of at most ${MAX_DEVICES} device ids`,
  )
  .nullish()
  .transform((value) =>
    typeof value === "string" ? value.split(",").map((id) => id.trim()) : (value ?? null),
  )
  .refine(
    (ids) => ids === null || (ids.length <= MAX_DEVICES && ids.every((id) => id.length <= 200)),
    "must be a list of device ids",
  );

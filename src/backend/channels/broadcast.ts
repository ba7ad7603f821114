import { z } from "zod";

/** Systems of devices by the names under which a broadcast goes to them. Nobody brings anything to those of an empty list any more. */
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
type Name = keyof typeof SYSTEMS;

/** Older clients add numbers up instead. */
const BITS: [number, Name][] = [
  [1, "IOS"],
  [2, "ANDROID"],
  [4, "WP"],
  [8, "OSX"],
];
const ALL_BITS = 15;

/** The names in what was said: a number, a name, several with `|` or a comma between them, or a list. Null stands for all. */
function namesIn(said: string | number | string[]): string[] | null {
  if (typeof said === "number") return said >= ALL_BITS ? null : BITS.flatMap(([bit, name]) => (said & bit ? [name] : []));
  const names = (Array.isArray(said) ? said : said.split(/[|,]/)).map((name) => name.trim().toUpperCase());
  return names.includes("ALL") ? null : names;
}

/** To which systems a push goes: kept as it was said. */
export const PushBroadcast = z
  .union(
    [z.string().max(200), z.int().min(1).max(255), z.array(z.string().max(20)).min(1).max(20)],
    "is ALL, or systems such as IOS|ANDROID|WEB",
  )
  .nullish()
  .transform((said) => (said === undefined || said === "" ? null : said))
  .refine((said) => said === null || (namesIn(said) ?? []).every((name) => Object.hasOwn(SYSTEMS, name)), {
    message: `is ALL, or of ${Object.keys(SYSTEMS).join(", ")}`,
  });

/** Which systems are meant; null for all. What was kept before it was looked at may be anything: that means none. */
export function systemsIn(said: unknown): string[] | null {
  const read = PushBroadcast.safeParse(said);
  const names = read.success && read.data !== null ? namesIn(read.data) : [];
  return names && [...new Set(names.flatMap((name) => SYSTEMS[name as Name]))];
}

const DEVICES = 500;

/** Ids of devices, one or a list. */
export const PushSinglecast = z
  .union([z.string().min(1), z.array(z.string().min(1).max(200)).max(DEVICES)], `is a list of at most ${DEVICES} ids of devices`)
  .nullish()
  .transform((said) => (typeof said === "string" ? said.split(",").map((id) => id.trim()) : (said ?? null)))
  .refine((ids) => ids === null || (ids.length <= DEVICES && ids.every((id) => id.length <= 200)), "is a list of ids of devices");

import { randomInt } from "node:crypto";
import { type Db, many, sql } from "#platform/database";
import { LIMITS } from "#community/rules";

/** Names reserved for the system, mail and site addresses. */
const RESERVED_USERNAMES = new Set(
  (
    "about abuse account admin administrator all api app assets audit bot builds contact conversations " +
    "deleted directory discussions " +
    "everybody everyone files former friends groups guest healthz help here home host hostmaster info " +
    "invite kith login logout " +
    "mail member members messages metrics me mod moderation moderator moderators myfriends news nobody " +
    "noreply no-reply notifications null " +
    "official owner postmaster privacy readyz register resetpassword resources root rules search " +
    "security services settings site " +
    "socket.io staff support system team transparency undefined unsubscribe user users webmaster welcome www"
  ).split(" "),
);

/** Whether a name is reserved, including names that the system assigns to guests and former members. */
export const isReservedUsername = (name: string) =>
  RESERVED_USERNAMES.has(name) || /^(guest|former)[._-]/.test(name) || /^[._-]+$/.test(name);

/**
 * Returns whether the end of a name is unambiguous: a dot or dash after `@tomas` belongs to the sentence, and
 * `/users/tomas.data` is an address of the framework.
 */
export const hasUnambiguousEnding = (name: string) => !/(?:[.-]|\.data)$/.test(name);

const TRANSLITERATIONS: Record<string, string> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  ø: "oe",
  å: "aa",
  œ: "oe",
  ł: "l",
  đ: "d",
  þ: "th",
  ð: "d",
  ı: "i",
};

/** A free username resembling a name: `Zoë Müller` becomes `zoe.mueller`. */
export async function suggestUsername(db: Db, name: string): Promise<string> {
  const base = toPlainUsername(name);
  const candidates = [
    base,
    ...Array.from({ length: 8 }, (_, i) => appendNumber(base, i + 2)),
    appendNumber(base, randomInt(1_000, 10_000)),
    appendNumber(base, randomInt(10_000, 100_000)),
  ];
  const taken = await filterTakenUsernames(db, candidates);
  return (
    candidates.find((candidate) => !taken.has(candidate) && !isReservedUsername(candidate)) ??
    appendNumber("member", randomInt(1_000_000, 10_000_000))
  );
}

/**
 * Free usernames for many people at once, for imports, in the order of `candidates`: the candidate itself if
 * it is valid and free, else a similar name.
 */
export async function assignUsernames(db: Db, candidates: string[]): Promise<string[]> {
  const choices = candidates.map((candidate) => {
    const base =
      USERNAME.test(candidate) && hasUnambiguousEnding(candidate) ? candidate : toPlainUsername(candidate);
    return [
      base,
      ...Array.from({ length: 8 }, (_, i) => appendNumber(base, i + 2)),
      ...Array.from({ length: 4 }, () => appendNumber(base, randomInt(10_000, 100_000_000))),
    ];
  });
  const taken = await filterTakenUsernames(db, choices.flat());
  return choices.map((names) => {
    const free =
      names.find((name) => !taken.has(name) && !isReservedUsername(name)) ??
      appendNumber("member", randomInt(10_000_000, 1_000_000_000));
    taken.add(free);
    return free;
  });
}

function toPlainUsername(name: string): string {
  const latin = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => TRANSLITERATIONS[letter] ?? letter.normalize("NFD"));
  const joined = latin
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "")
    .slice(0, LIMITS.username.max);
  const clear = joined.replace(/\.+$/, "").replace(/\.data$/, "-data");
  return clear.length >= LIMITS.username.min ? clear : "member";
}

const USERNAME = /^[a-z0-9_.-]{3,20}$/;

const appendNumber = (base: string, number: number) =>
  `${base.slice(0, LIMITS.username.max - String(number).length)}${number}`;

/** Returns the names that are taken or were until recently. */
export async function filterTakenUsernames(db: Db, names: string[]): Promise<Set<string>> {
  const rows = await many(
    db,
    sql<{ username: string }>`
    select username from people where username = any(${names})
    union all select username from former_usernames where username = any(${names})`,
  );
  return new Set(rows.map((row) => row.username));
}

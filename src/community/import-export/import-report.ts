import { type Db, maybeOne, sql } from "#platform/database";
import { msg, toEnglish } from "#platform/messages";
import { entriesOf } from "#platform/objects";
import { Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type { ImportCounts } from "./import/import-batch.ts";
import { type ImportRun, listProblems } from "./import/import-runs.ts";

const PLURAL_NAMES: Record<keyof ImportCounts, string> = {
  user: "people",
  group: "groups",
  membership: "memberships",
  friendship: "friendships",
  block: "blocks",
  discussion: "discussions",
  post: "posts",
  revision: "earlier versions",
  vote: "votes",
  reaction: "reactions",
  reading: "reading positions",
  conversation: "conversations",
  message: "messages",
  "message-reaction": "reactions to messages",
  file: "files",
  resource: "resources",
  version: "versions of resources",
  use: "uses of resources",
  collection: "collections",
  line: "activity entries",
  start: "items to start with",
  follow: "followed resources",
  bookmark: "bookmarks",
  mute: "muted people",
  "event-series": "series of events",
  event: "events",
  attendance: "answers to events",
  "date-poll": "date polls",
  "date-poll-answer": "answers to date polls",
  setting: "settings",
  unreadable: "records that cannot be read",
};

const formatMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** One line for each record type: `posts: 120 new, 3 already here, 1 skipped`. */
export const describeCounts = (counts: ImportCounts, check: boolean): string[] =>
  entriesOf(PLURAL_NAMES).flatMap(([kind, many]) => {
    const { made = 0, known = 0, refused = 0, bytes = 0 } = counts[kind] ?? {};
    const size = bytes > 0 ? ` (${formatMegabytes(bytes)})` : "";
    const what = `${check ? "to import" : "new"}${kind === "user" ? " as unclaimed accounts" : ""}${size}`;
    const parts = [
      made > 0 && `${made} ${what}`,
      known > 0 && `${known} already here`,
      refused > 0 && `${refused} skipped`,
    ];
    const summary = parts.filter(Boolean).join(", ");
    return summary === "" ? [] : [`${many}: ${summary}`];
  });

/** The full report of a run as text: counts, and problems with their position in the archive. */
export async function createImportReport(db: Db, run: ImportRun): Promise<string> {
  const problems = await listProblems(db, run.id);
  const lines = problems.map(({ place, kind, sourceId, what }) =>
    [place, `${kind} ${sourceId}`.trim(), what].filter(Boolean).join(" · "),
  );
  const more = run.problems > problems.length ? [`… and ${run.problems - problems.length} more.`] : [];
  const head = [
    `${run.fileName} (${run.format}), run ${run.id}`,
    `${run.state}, ${run.createdAt.toISOString()}`,
    ...(run.trouble ? [toEnglish(run.trouble)] : []),
  ];
  return [
    ...head,
    "",
    ...describeCounts(run.counts, run.begunAt === null),
    "",
    `${run.problems} warnings`,
    ...lines,
    ...more,
    "",
  ].join("\n");
}

/**
 * The admin in whose name a command on the server runs: the admin with that username, else the admin with
 * the oldest account; null if there is no admin.
 * @throws `not-found` if the username is no admin's
 */
export async function findAdmin(db: Db, username: string | undefined): Promise<SignedIn | null> {
  const admin = await maybeOne(
    db,
    sql<{ id: string }>`
      select id from people where site_role = 'admin' and state = 'active'
        and (${username ?? null}::text is null or username = ${username ?? null})
      order by created_at, id limit 1`,
  );
  if (!admin && username) throw new Refusal("not-found", msg("{username} is not an admin.", { username }));
  return admin ? { id: admin.id, role: "admin", trust: "established", limited: false } : null;
}

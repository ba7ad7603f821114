import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import { checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { groupRules, type Viewer } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import type { NewGroup } from "./group-forms.ts";
import { applyMembership } from "./memberships/apply-membership.ts";

/** Texts of a group that are checked for watched words. */
export const GROUP_TEXTS = ["name", "purpose", "about", "topic", "rules", "questions"] as const;

type GroupCreationSettings = Pick<SiteSettings, "whoCreatesGroups" | "newcomersGroups">;

/**
 * Asserts that the person may create groups on this site.
 * @throws `not-allowed`
 */
export function assertCanCreateGroup(
  viewer: Viewer,
  { whoCreatesGroups }: Pick<GroupCreationSettings, "whoCreatesGroups">,
): void {
  if (groupRules.create(viewer, whoCreatesGroups)) return;
  throw viewer.limited || whoCreatesGroups === "staff"
    ? new Refusal("not-allowed", "Only staff can create groups here. Write to them if you need one.")
    : new Refusal("not-allowed", "New members cannot create groups yet. Take part for a few days first.");
}

/**
 * Creates a group owned by the viewer. Repeating a `clientId` returns the same group. A new member's group
 * waits for approval where `site` says so.
 * @throws `not-signed-in`, `not-allowed` for people who may not create groups
 */
export async function createGroup(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof NewGroup>,
  site: GroupCreationSettings,
): Promise<{ id: string; slug: string }> {
  const me = requireSignedIn(viewer);
  assertCanCreateGroup(me, site);
  const { input, flagged } = await checkWatchedWords(tx, me, uncheckedInput, GROUP_TEXTS, { canWait: false });
  const clientId = input.clientId?.toLowerCase();
  const before = clientId ? await findSubmittedGroup(tx, clientId) : undefined;
  if (before?.stands && before.founderId === me.id && before.name === input.name)
    return { id: before.id, slug: before.slug };
  const state = groupRules.waits(me, site.newcomersGroups) ? "pending" : "active";
  // The group gets the id from the page, unless the page was submitted before and created another group.
  const id = clientId && !before ? clientId : tx.newId();
  const slug = await createSlug(tx, {
    id,
    name: input.name,
    hidden: input.visibility === "secret" || state === "pending",
  });
  await run(
    tx,
    sql`insert into groups (id, slug, name, purpose, about_md, about_html, topic, visibility, join_policy,
      history_policy, state, header_style, rules, questions, created_by, created_at, last_active_at)
        values (${id}, ${slug}, ${input.name}, ${input.purpose}, ${input.about},
          ${renderMarkdown(input.about)}, ${input.topic}, ${input.visibility}, ${input.joinPolicy},
          ${input.historyPolicy}, ${state}, ${input.headerStyle}, ${JSON.stringify(input.rules)},
          ${JSON.stringify(input.questions)}, ${me.id}, ${tx.now}, ${tx.now})`,
  );
  await applyMembership(tx, { groupId: id, personId: me.id, state: "member", role: "owner" });
  await emit(tx, { type: state === "pending" ? "group.pending" : "group.created", groupId: id, by: me.id });
  await reportFlaggedText(tx, me.id, flagged, { groupId: id });
  return { id, slug };
}

/** A lock makes concurrent submissions wait, so that the second submission finds the group of the first. */
async function findSubmittedGroup(tx: Tx, clientId: string) {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 0))`);
  return maybeOne(
    tx,
    sql<{ id: string; slug: string; name: string; founderId: string | null; stands: boolean }>`
      select id, slug, name, created_by as "founderId", state <> 'deleted' as stands from groups
      where id = ${clientId}`,
  );
}

/** Words that routes use where a slug could be. */
const RESERVED_SLUGS = ["new", "desk", "mine", "discover", "waiting", "create"];

/**
 * A free slug for a name, with a part of the id if the plain slug is taken. Groups that are not visible to
 * everyone always get that part: otherwise the next group of that name would reveal that the plain slug is
 * taken.
 */
export async function createSlug(
  tx: Tx,
  { id, name, hidden }: { id: string; name: string; hidden: boolean },
): Promise<string> {
  const plain = SLUG.test(name) ? name : slugify(name);
  const usable =
    plain.length >= 2 && !RESERVED_SLUGS.includes(plain) && !isId(plain)
      ? plain
      : `group-${plain}`.replace(/-$/, "");
  const own = `${usable.slice(0, 53)}-${id.slice(-6)}`;
  if (hidden) return HAS_ID_SUFFIX.test(usable) ? usable : own;
  // A lock makes a concurrent creation with the same name wait. The second group then gets the slug with a
  // part of the id.
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('slug:' || ${usable}::text, 0))`);
  const taken = await maybeOne(tx, sql`select from groups where slug = ${usable}`);
  return taken ? own : usable;
}

/** Matches a slug that has an id suffix already, for instance from an export. */
const HAS_ID_SUFFIX = /-[0-9a-f]{6}$/;

const SLUG = /^[a-z0-9][a-z0-9-]{1,59}$/;

export const slugify = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 45)
    .replace(/^-+|-+$/g, "");

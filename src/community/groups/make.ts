import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { htmlOf } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer, type Visibility } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import type { GroupChange, NewGroup } from "./forms.ts";
import { type GroupAsFound, groupToChange } from "./group.ts";
import { settle } from "./settle.ts";

type Founding = Pick<SiteSettings, "whoCreatesGroups">;

/** Throws `not-allowed` for whom the site does not let found groups. */
export function assertFounder(viewer: Viewer, { whoCreatesGroups }: Founding): void {
  if (groupRules.create(viewer, whoCreatesGroups)) return;
  throw viewer.limited || whoCreatesGroups === "staff"
    ? new Refusal("not-allowed", "Here, those who look after the community found the groups. Please write to them.")
    : new Refusal("not-allowed", "Founding a group is for people who have been here for a while. Take part for a few days first.");
}

/** Makes a group with the viewer as its owner. Throws `not-signed-in`, and `not-allowed` for whom `site` does not let. */
export async function createGroup(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewGroup>,
  site: Founding,
): Promise<{ id: string; slug: string }> {
  const me = signedIn(viewer);
  assertFounder(me, site);
  const id = tx.newId();
  const slug = await freeSlug(tx, input.name, id);
  await run(
    tx,
    sql`insert into groups (id, slug, name, purpose, about_md, about_html, topic, visibility, join_policy, history_policy, header_style, rules, questions, created_by, created_at, last_active_at)
        values (${id}, ${slug}, ${input.name}, ${input.purpose}, ${input.about}, ${htmlOf(input.about)}, ${input.topic}, ${input.visibility}, ${input.joinPolicy},
          ${input.historyPolicy}, ${input.headerStyle}, ${JSON.stringify(input.rules)}, ${JSON.stringify(input.questions)}, ${me.id}, ${tx.now}, ${tx.now})`,
  );
  await settle(tx, { groupId: id, personId: me.id, state: "member", role: "owner" });
  await announce(tx, { type: "group.created", groupId: id, by: me.id });
  return { id, slug };
}

/** Words that stand in addresses where a group's name could. */
const RESERVED = ["new", "mine", "discover", "waiting", "create"];

/** The name as it stands in addresses; a part of the id is added where another group has it. */
async function freeSlug(tx: Tx, name: string, id: string): Promise<string> {
  const plain = slugOf(name);
  const usable = plain.length >= 2 && !RESERVED.includes(plain) && !isId(plain) ? plain : `group-${plain}`.replace(/-$/, "");
  const taken = await maybeOne(tx, sql`select from groups where slug = ${usable}`);
  return taken ? `${usable}-${id.slice(-6)}` : usable;
}

export const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 45)
    .replace(/^-+|-+$/g, "");

/**
 * Changes what is said of a group, and, for its owners, who finds it and gets in. Throws `not-found`, `not-allowed`,
 * and `conflict` for opening up a group in which people wrote for fewer eyes.
 */
export async function updateGroup(tx: Tx, viewer: Viewer, input: z.output<typeof GroupChange>): Promise<{ id: string; slug: string }> {
  const me = signedIn(viewer);
  const group = await groupToChange(tx, me, input.groupId);
  if (!groupRules.edit(me, group)) throw new Refusal("not-allowed", "Only those who look after the group can change this.");
  const door = await doorAfter(tx, me, group, input);
  await run(
    tx,
    sql`update groups set name = coalesce(${input.name ?? null}, name), purpose = coalesce(${input.purpose ?? null}, purpose),
          about_md = coalesce(${input.about ?? null}, about_md), about_html = coalesce(${input.about === undefined ? null : htmlOf(input.about)}, about_html),
          topic = coalesce(${input.topic ?? null}, topic), header_style = coalesce(${input.headerStyle ?? null}, header_style),
          rules = coalesce(${input.rules ? JSON.stringify(input.rules) : null}::jsonb, rules),
          questions = coalesce(${input.questions ? JSON.stringify(input.questions) : null}::jsonb, questions),
          visibility = ${door.visibility}, join_policy = ${door.joinPolicy}, history_policy = ${door.historyPolicy}
        where id = ${group.id}`,
  );
  await audit(tx, me, {
    act: "group.changed",
    kind: "group",
    id: group.id,
    details: door,
  });
  await announce(tx, { type: "group.changed", groupId: group.id, by: me.id });
  return { id: group.id, slug: group.slug };
}

const WIDTH: Record<Visibility, number> = { secret: 0, private: 1, public: 2 };

async function doorAfter(
  tx: Tx,
  me: Viewer,
  group: GroupAsFound,
  input: z.output<typeof GroupChange>,
): Promise<Pick<GroupFacts, "visibility" | "joinPolicy" | "historyPolicy">> {
  const visibility = input.visibility ?? group.visibility;
  const joinPolicy = input.joinPolicy ?? (visibility === "secret" ? "invite" : group.joinPolicy);
  const historyPolicy = input.historyPolicy ?? group.historyPolicy;
  const door = { visibility, joinPolicy, historyPolicy };
  if (visibility === group.visibility && joinPolicy === group.joinPolicy && historyPolicy === group.historyPolicy) return door;
  if (!groupRules.manage(me, group))
    throw new Refusal("not-allowed", "Only an owner can change who finds the group, who gets in and what newcomers read.");
  if (visibility === "secret" && joinPolicy !== "invite") throw invalid("joinPolicy", "A secret group is by invitation.");
  if (visibility === "public" && historyPolicy !== "shared" && historyPolicy !== group.historyPolicy)
    throw invalid("historyPolicy", "Everybody reads all of a public group: newcomers do too.");
  if (
    WIDTH[visibility] > WIDTH[group.visibility] &&
    (await maybeOne(tx, sql`select from discussions where group_id = ${group.id} limit 1`))
  )
    throw new Refusal(
      "conflict",
      "People have written here for the members only. A group that holds discussions can become more private, not more public.",
    );
  return door;
}

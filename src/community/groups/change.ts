import { maybeOne, run, sql, type Tx } from "#platform/database";
import { htmlOf } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { audit } from "#community/audit";
import { signedIn } from "#community/friends";
import { type GroupFacts, groupRules, type Viewer, type Visibility } from "#community/rules";
import type { GroupChange } from "./forms.ts";
import { type GroupAsFound, groupToChange } from "./group.ts";

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

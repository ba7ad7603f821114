import { type Db, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { type GroupFacts, groupRules, type Viewer } from "#community/rules";

export type PreviousRules = { version: number; rules: string[]; replacedAt: Date };

/**
 * At most 50 earlier versions of a group's rules, latest first.
 * @throws `not-found` for viewers who may not see the group
 */
export async function listPreviousRules(
  db: Db,
  viewer: Viewer,
  group: GroupFacts & { id: string },
): Promise<PreviousRules[]> {
  if (!groupRules.see(viewer, group)) throw notFound();
  return many(
    db,
    sql<PreviousRules>`
      select version, rules, replaced_at as "replacedAt" from group_rule_versions
      where group_id = ${group.id} order by version desc limit 50`,
  );
}

import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import type { PersonCard } from "#community/common";
import { limitedAccountRefusal } from "#community/discussions";
import { blockedIds, blockerIds, visiblePersonCard, requireSignedIn } from "#community/friends";
import { isSignedIn, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import { normalizeAddress } from "./normalized-address.ts";
import { editResource } from "./resource-edits.ts";
import { type NewSuggestion, ResourceChange, type SuggestionAnswer } from "./resource-inputs.ts";
import { getResource, getResourceForUpdate } from "./resource.ts";
import { type Resource } from "./resource-columns.ts";

/** Maximum number of suggestions of one person per day. A changed suggestion counts again. */
const MAX_PER_DAY = 20;

/** Whether a link needs another address: it is dead or redirected. */
export const needsNewAddress = (it: Pick<Resource, "url" | "health">) =>
  it.url !== null && (it.health === "dead" || it.health === "redirected");

/**
 * Suggests an address for a dead or redirected link, for people who may comment. Replaces the viewer's
 * former suggestion; an equal suggestion changes nothing.
 * @throws `not-found`, `not-allowed`, `invalid` on `url`, `conflict` if the link works, `too-many`
 */
export async function suggestAddress(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewSuggestion>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  if (!resourceRules.comment(me, it))
    throw me.limited
      ? limitedAccountRefusal()
      : new Refusal("not-allowed", "Join the group to comment here.");
  if (!needsNewAddress(it)) throw new Refusal("conflict", "This link works again.");
  if (normalizeAddress(input.url) === normalizeAddress(it.url!))
    throw invalid("url", "That is already the current address.");
  const former = await maybeOne(
    tx,
    sql<{ id: string; url: string }>`
      select id, url from link_suggestions
      where resource_id = ${it.id} and by_id = ${me.id} and decided_at is null`,
  );
  if (former?.url === input.url) return;
  await assertSuggestionLimit(tx, me);
  if (former) await keepFormerAddress(tx, former.id);
  const suggestionId = former?.id ?? tx.newId();
  await run(
    tx,
    sql`insert into link_suggestions (id, resource_id, url, by_id, created_at)
      values (${suggestionId}, ${it.id}, ${input.url}, ${me.id}, ${tx.now})
        on conflict (id) do update set url = excluded.url, created_at = excluded.created_at`,
  );
  await emit(tx, {
    type: "resource.address-suggested",
    resourceId: it.id,
    groupId: it.group?.id ?? null,
    suggestionId,
    by: me.id,
  });
}

/**
 * Asserts the daily limit. A lock serializes a person's suggestions, so that two concurrent ones are both
 * counted.
 */
async function assertSuggestionLimit(tx: Tx, me: SignedIn): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('suggestions:' || ${me.id}::text, 0))`);
  const { count } = await one(
    tx,
    sql<{
      count: number;
    }>`select count(*)::int as count from link_suggestions
      where by_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)}`,
  );
  if (count >= MAX_PER_DAY)
    throw new Refusal("too-many", "You have reached today's limit. Come back tomorrow.");
}

/**
 * Stores the former address of a changed suggestion as declined, so that each change counts toward the daily
 * limit.
 */
const keepFormerAddress = (tx: Tx, id: string) =>
  run(
    tx,
    sql`insert into link_suggestions (id, resource_id, url, by_id, created_at, decided_at, decided_by,
      accepted)
        select ${tx.newId()}, resource_id, url, by_id, created_at, ${tx.now}, by_id, false
        from link_suggestions where id = ${id}`,
  );

/**
 * Accepts a suggestion, so that the link changes, or declines it. For people who may edit the resource.
 * @throws `not-found` (also for a decided suggestion), `not-allowed`
 */
export async function answerSuggestion(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof SuggestionAnswer>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getResourceForUpdate(tx, me, input.resourceId);
  if (!resourceRules.edit(me, it) && !resourceRules.amend(me, it))
    throw new Refusal("not-allowed", "You cannot edit this.");
  const taken = isId(input.suggestionId)
    ? await maybeOne(
        tx,
        sql<{ url: string; byId: string }>`
          update link_suggestions set decided_at = ${tx.now}, decided_by = ${me.id},
            accepted = ${input.accept}
          where id = ${input.suggestionId} and resource_id = ${it.id} and decided_at is null
          returning url, by_id as "byId"`,
      )
    : undefined;
  if (!taken) throw notFound();
  if (input.accept) {
    const reason = "A new address was suggested.";
    await editResource(
      tx,
      me,
      ResourceChange.parse({ resourceId: it.id, changes: it.changes, url: taken.url, reason }),
    );
    await run(
      tx,
      sql`update link_suggestions set decided_at = ${tx.now}, decided_by = ${me.id}, accepted = false
        where resource_id = ${it.id} and decided_at is null`,
    );
    await run(tx, sql`update link_checks set due_at = ${tx.now} where resource_id = ${it.id}`);
  }
  const type = input.accept ? "resource.address-accepted" : "resource.address-declined";
  await emit(tx, {
    type,
    resourceId: it.id,
    groupId: it.group?.id ?? null,
    suggestionId: input.suggestionId,
    personId: taken.byId,
    by: me.id,
  });
}

export type Suggestion = { id: string; url: string; by: PersonCard | null; at: Date; mine: boolean };
/** Time of the last check of a link, its redirect target, and suggested addresses. */
export type LinkHealth = { checkedAt: Date | null; movedTo: string | null; suggestions: Suggestion[] };

/**
 * Returns the state of a link. Open suggestions are included for their authors and for people who may
 * decide.
 * @throws `not-found` as `getResource`
 */
export async function getLinkHealth(db: Db, viewer: Viewer, resourceId: string): Promise<LinkHealth> {
  const it = await getResource(db, viewer, resourceId);
  const decides = resourceRules.edit(viewer, it) || resourceRules.amend(viewer, it);
  const [known, suggestions] = await Promise.all([
    maybeOne(
      db,
      sql<{ checkedAt: Date | null; movedTo: string | null }>`
        select checked_at as "checkedAt", moved_to as "movedTo" from link_checks
        where resource_id = ${it.id} and url = ${it.url}`,
    ),
    isSignedIn(viewer)
      ? many(
          db,
          sql<Suggestion>`
            select s.id, s.url, ${visiblePersonCard(viewer, "p")} as by, s.created_at as at,
              s.by_id = ${viewer.id}::uuid as mine
            from link_suggestions s join people p on p.id = s.by_id
            where s.resource_id = ${it.id} and s.decided_at is null
              and (s.by_id = ${viewer.id}::uuid or ${decides})
              and s.by_id <> all(${blockerIds(viewer)}) and s.by_id <> all(${blockedIds(viewer)})
            order by s.created_at, s.id limit 20`,
        )
      : [],
  ]);
  return { checkedAt: known?.checkedAt ?? null, movedTo: known?.movedTo ?? null, suggestions };
}

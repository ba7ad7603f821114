import { createHash } from "node:crypto";
import { z } from "zod";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";

/** Maximum number of browsers per person: an eleventh replaces the oldest. */
const MAX_BROWSERS = 10;

const keyBytes = (count: number) =>
  z
    .string()
    .max(100, "That is not a valid key.")
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === count,
      "That is not a valid key.",
    );

/** A browser's push subscription: its endpoint, and the keys that encrypt content for it. */
export const NewSubscription = z.object({
  endpoint: z
    .string()
    .max(1_000, "That address is too long.")
    .refine(
      (text) => URL.canParse(text) && new URL(text).protocol === "https:",
      "This is not an address of a push service.",
    ),
  publicKey: keyBytes(65),
  auth: keyBytes(16),
});

export type PushDevice = {
  id: string;
  device: string;
  showsText: boolean;
  createdAt: Date;
  /** Start of the endpoint's hash, by which a page recognizes its own browser in the list. */
  mark: string;
};

/**
 * Enables push on this browser until the session ends. A browser belongs to the last person who subscribed.
 * @throws `not-signed-in`; `not-found` for a session of another person
 */
export async function subscribeToPush(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewSubscription>,
  sessionId: string | null,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const made = await run(
    tx,
    sql`insert into push_subscriptions (id, person_id, session_id, endpoint, public_key, auth, device,
      created_at)
        select ${tx.newId()}, person_id, id, ${input.endpoint}, ${input.publicKey}, ${input.auth},
          left(device, 100), ${tx.now}
        from sessions where id = ${sessionId}::uuid and person_id = ${me.id}
        on conflict (endpoint) do update set person_id = excluded.person_id, session_id = excluded.session_id,
          public_key = excluded.public_key,
          auth = excluded.auth, device = excluded.device, created_at = excluded.created_at, reached_at = null,
          shows_text = push_subscriptions.shows_text and push_subscriptions.person_id = excluded.person_id`,
  );
  if (made === 0) throw notFound();
  await run(
    tx,
    sql`delete from push_subscriptions where id in (
      select id from push_subscriptions where person_id = ${me.id} order by created_at desc, id desc
      offset ${MAX_BROWSERS})`,
  );
}

/**
 * Disables push on one browser.
 * @throws `not-found` if it is not the viewer's
 */
export async function unsubscribeFromPush(tx: Tx, viewer: Viewer, { id }: { id: string }): Promise<void> {
  const me = requireSignedIn(viewer);
  const ended = isId(id)
    ? await run(tx, sql`delete from push_subscriptions where id = ${id} and person_id = ${me.id}`)
    : 0;
  if (ended === 0) throw notFound();
}

/**
 * Sets whether pushes to a browser show names and text, which bystanders can read.
 * @throws `not-found` if it is not the viewer's
 */
export async function setPushTextShown(
  tx: Tx,
  viewer: Viewer,
  { id, shows }: { id: string; shows: boolean },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const changed = isId(id)
    ? await run(
        tx,
        sql`update push_subscriptions set shows_text = ${shows} where id = ${id} and person_id = ${me.id}`,
      )
    : 0;
  if (changed === 0) throw notFound();
}

/** The viewer's browsers, newest first. */
export async function listPushDevices(db: Db, viewer: Viewer): Promise<PushDevice[]> {
  const me = requireSignedIn(viewer);
  const rows = await many(
    db,
    sql<Omit<PushDevice, "mark"> & { endpoint: string }>`
      select id, device, shows_text as "showsText", created_at as "createdAt", endpoint
      from push_subscriptions
      where person_id = ${me.id} order by created_at desc, id desc`,
  );
  return rows.map(({ endpoint, ...row }) => ({
    ...row,
    mark: createHash("sha256").update(endpoint).digest("hex").slice(0, 16),
  }));
}

import { z } from "zod";
import { writeAudit } from "#community/audit";
import { accountRules, LIMITS, type SignedIn, TOKEN_SCOPES, type TokenScope } from "#community/rules";
import { personColumns, type PersonCard } from "#community/common";
import { DAY, addMilliseconds } from "#platform/clock";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { hashSecret, isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { accountMailLinks, sendAccountMail } from "../emails/send-account-mail.ts";
import { requireProof } from "../two-factor/identity-proof.ts";
import { createTokenText } from "./token-format.ts";

/** Maximum number of tokens per person, expired ones included. */
const MAX_TOKENS = 30;
/** Maximum number of groups that a token is limited to. */
const MAX_GROUPS = 50;
/** Days until a token expires, or `never`. */
const LIFETIMES = ["7", "30", "90", "365", "never"] as const;
/** Expired tokens stay in the list for a month, so that people see why a program stopped working. */
const EXPIRED_FOR = 30 * DAY;

export const NewAccessToken = z.object({
  name: z
    .string()
    .transform((name) =>
      name
        .toWellFormed()
        .replace(/[\p{Cc}\s]+/gu, " ")
        .trim(),
    )
    .pipe(
      z.string().min(1, "Give the token a name that you will recognise.").max(60, "At most 60 characters."),
    ),
  scopes: z
    .array(z.enum(TOKEN_SCOPES, "Unknown scope."))
    .min(1, "Choose at least one scope.")
    .transform((scopes) => TOKEN_SCOPES.filter((it) => scopes.includes(it))),
  /** Groups that the token is limited to; empty for no limit. */
  groupIds: z
    .array(z.uuid("Unknown value."))
    .max(MAX_GROUPS, "Choose at most {count, number} groups.")
    .transform((ids) => [...new Set(ids)])
    .default([]),
  lifetime: z.enum(LIFETIMES, "Choose when the token expires."),
});
export type NewAccessToken = z.output<typeof NewAccessToken>;

/** A token as its owner and admins see it; the secret is stored nowhere. */
export type AccessToken = {
  id: string;
  name: string;
  scopes: TokenScope[];
  /** Number of groups that the token is limited to; null for no limit. */
  groupCount: number | null;
  /** Names of these groups, for the owner, without groups that the owner has left. */
  groupNames: string[];
  createdAt: Date;
  /** Null for a token that does not expire. */
  expiresAt: Date | null;
  /** Day of the last use, as `2026-05-01`, and the masked address it came from. */
  usedOn: string | null;
  usedFrom: string | null;
};
export type AccessTokenWithOwner = AccessToken & { owner: PersonCard };

/** Names of groups are only for the owner: an admin may not know of a secret group. */
const tokenColumns = (viewer: SignedIn) => sql`t.id, t.name, t.scopes,
  cardinality(t.group_ids) as "groupCount",
  array(select g.name from groups g join memberships m on m.group_id = g.id and m.person_id = ${viewer.id}
    where g.id = any(t.group_ids) and m.state = 'member' and t.person_id = ${viewer.id}
    order by g.name) as "groupNames",
  t.created_at as "createdAt", t.expires_at as "expiresAt", t.used_on::text as "usedOn",
  t.used_from as "usedFrom"`;

/** The viewer's tokens, newest first. */
export const listAccessTokens = (db: Db, viewer: SignedIn): Promise<AccessToken[]> =>
  many(
    db,
    sql<AccessToken>`select ${tokenColumns(viewer)} from access_tokens t
      where t.person_id = ${viewer.id} order by t.id desc`,
  );

/**
 * A page of the tokens of all people, newest first; `after` is the `next` of the previous page.
 * @throws `not-allowed` for all but admins
 */
export async function listAllAccessTokens(
  db: Db,
  viewer: SignedIn,
  { after = "" }: { after?: string },
): Promise<{ tokens: AccessTokenWithOwner[]; next: string | null }> {
  if (!accountRules.run(viewer)) throw new Refusal("not-allowed", "Only admins see the tokens of others.");
  const size = LIMITS.page.people;
  const rows = await many(
    db,
    sql<AccessToken & { owner: PersonCard }>`
      select ${tokenColumns(viewer)}, (select to_jsonb(o) from (select ${personColumns("p")}) o) as owner
      from access_tokens t join people p on p.id = t.person_id
      where ${isId(after) ? sql`t.id < ${after}` : sql`true`}
      order by t.id desc ${limit(size + 1)}`,
  );
  return { tokens: rows.slice(0, size), next: rows.length > size ? rows[size - 1]!.id : null };
}

/**
 * Creates a token and mails its owner. Only this result contains the token.
 * @throws `invalid` on `proof` without the password or a code, `not-allowed` for a person with neither whose
 * session is not recent, `conflict` above the limit
 */
export const createAccessToken = (
  app: Pick<AccountsContext, "database" | "limits" | "settings" | "now" | "sealer" | "origin">,
  viewer: SignedIn,
  { name, scopes, groupIds, lifetime }: NewAccessToken,
  identityProof: { proof: string; sessionId: string | null },
): Promise<{ id: string; token: string }> =>
  requireProof(app, viewer, identityProof, async (tx) => {
    await assertTokenLimit(tx, viewer.id);
    await assertMemberOf(tx, viewer.id, groupIds);
    const [id, token] = [tx.newId(), createTokenText()];
    const expiresAt = lifetime === "never" ? null : addMilliseconds(tx.now, Number(lifetime) * DAY);
    await run(
      tx,
      sql`
      insert into access_tokens (id, person_id, token_hash, name, scopes, group_ids, created_at, expires_at)
      values (${id}, ${viewer.id}, ${hashSecret(token)}, ${name}, ${scopes},
        ${groupIds.length > 0 ? groupIds : null}::uuid[], ${tx.now}, ${expiresAt})`,
    );
    await writeAudit(tx, viewer, {
      act: "token.created",
      kind: "person",
      id: viewer.id,
      details: { tokenId: id, scopes: scopes.join(" ") },
    });
    await sendAccountMail(tx, "tokenCreated", viewer.id, {
      device: name,
      link: accountMailLinks.tokens(app, viewer.id),
    });
    return { id, token };
  });

/** Asserts that the person is a member of these groups: otherwise the form would reveal other groups. */
async function assertMemberOf(tx: Tx, personId: string, groupIds: string[]): Promise<void> {
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from memberships
      where person_id = ${personId} and group_id = any(${groupIds}::uuid[]) and state = 'member'`,
  );
  if (n < groupIds.length) throw invalid("groupIds", "Choose groups that you are a member of.");
}

/**
 * Asserts the limit of tokens. A lock serializes a person's creations, so that two concurrent ones are both
 * counted.
 */
async function assertTokenLimit(tx: Tx, personId: string): Promise<void> {
  await run(tx, sql`select from people where id = ${personId} for update`);
  const { n } = await one(
    tx,
    sql<{ n: number }>`select count(*)::int as n from access_tokens where person_id = ${personId}`,
  );
  if (n >= MAX_TOKENS) throw new Refusal("conflict", "You can have at most 30 tokens. Revoke one first.");
}

/**
 * Revokes one of the viewer's own tokens. Admins can revoke any token; its owner is notified by mail.
 * @throws `not-found` for another person's
 */
export const revokeAccessToken = (
  app: Pick<AccountsContext, "database" | "settings" | "origin">,
  viewer: SignedIn,
  id: string,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const revoked =
      isId(id) &&
      (await maybeOne(
        tx,
        sql<{ personId: string; name: string }>`
          delete from access_tokens
          where id = ${id} and (person_id = ${viewer.id} or ${accountRules.run(viewer)}::boolean)
          returning person_id as "personId", name`,
      ));
    if (!revoked) throw notFound();
    const { personId, name } = revoked;
    await writeAudit(tx, viewer, {
      act: "token.revoked",
      kind: "person",
      id: personId,
      details: { tokenId: id },
    });
    await emit(tx, { type: "person.tokens-revoked", personId });
    if (personId !== viewer.id)
      await sendAccountMail(tx, "tokenRevoked", personId, {
        device: name,
        link: accountMailLinks.tokens(app, personId),
      });
  });

/** Revokes all tokens of a person who may no longer use the account. */
export async function revokeAllAccessTokens(tx: Tx, personId: string): Promise<void> {
  const revoked = await run(tx, sql`delete from access_tokens where person_id = ${personId}`);
  if (revoked > 0) await emit(tx, { type: "person.tokens-revoked", personId });
}

/** For jobs: deletes tokens that expired a month ago. */
export const deleteExpiredTokens = (tx: Tx): Promise<number> =>
  run(tx, sql`delete from access_tokens where expires_at < ${addMilliseconds(tx.now, -EXPIRED_FOR)}`);

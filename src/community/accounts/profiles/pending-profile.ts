import { isDeepStrictEqual } from "node:util";
import { type Db, many, run, sql, type Tx } from "#platform/database";
import { renderMarkdown } from "#platform/markup";
import { keysOf } from "#platform/objects";
import { emit } from "#platform/outbox";
import type { ApprovalReason } from "#community/prevention";
import { type FieldAudience, isSignedIn, type Viewer } from "#community/rules";
import type { FieldAnswer } from "../profile-fields/profile-field-answers.ts";
import { storeAnswer } from "../profile-fields/stored-answers.ts";
import type { Profile, ProfileField } from "./profiles.ts";

/** An answer to a profile field of the community, with the label that the field had. */
export type WaitingAnswer = {
  label: string;
  kind: FieldAnswer["kind"];
  said: string[];
  audience: FieldAudience;
};
/** Texts of a profile that wait for approval. `answer:…` is followed by the id of the profile field. */
export type ProfileTexts = {
  pronouns?: string;
  location?: string;
  bio?: string;
  fields?: ProfileField[];
  [answer: `answer:${string}`]: WaitingAnswer;
};
/** The viewer's own texts that wait for approval, or that were returned with an answer. */
export type OwnPendingProfile = {
  id: string;
  texts: ProfileTexts;
  approvalReason: ApprovalReason | null;
  isReturned: boolean;
  answer: string;
};

const columns = sql`id, said->'profile' as texts, approval_reason as "approvalReason",
  returned_at is not null as "isReturned", answer`;

/** The viewer's own texts: at most those that wait, and those that were returned. Empty for guests. */
export const listOwnPendingProfiles = async (db: Db, viewer: Viewer): Promise<OwnPendingProfile[]> =>
  isSignedIn(viewer)
    ? many(
        db,
        sql<OwnPendingProfile>`select ${columns} from pending_posts
          where author_id = ${viewer.id} and said->'profile' is not null order by returned_at nulls last`,
      )
    : [];

/** Own texts as the author last wrote them, for the form: what waits comes before what was returned. */
export const latestOwnTexts = (them: OwnPendingProfile[]): ProfileTexts =>
  them.toReversed().reduce<ProfileTexts>((latest, { texts }) => ({ ...latest, ...texts }), {});

/** Texts of a profile, with these in place of the published ones. */
export const withTexts = (
  about: NonNullable<Profile["about"]>,
  texts: ProfileTexts,
): NonNullable<Profile["about"]> => ({
  ...about,
  pronouns: texts.pronouns ?? about.pronouns,
  location: texts.location ?? about.location,
  fields: texts.fields ?? about.fields,
  ...(texts.bio !== undefined && { bioMd: texts.bio, bioHtml: renderMarkdown(texts.bio) }),
  answers: withAnswers(about.answers, texts),
});

function withAnswers(answers: FieldAnswer[], texts: ProfileTexts): FieldAnswer[] {
  const waiting = Object.keys(texts)
    .filter(isAnswerName)
    .map((name) => ({ id: name.slice("answer:".length), ...texts[name]! }));
  const first = answers.filter(({ id }) => !waiting.some((it) => it.id === id));
  return [...first, ...waiting];
}

const isAnswerName = (name: string): name is `answer:${string}` => name.startsWith("answer:");

/**
 * Stores the texts that need approval. `changed` names every text that was saved: what waited or was returned
 * under one of these names is replaced. Waiting texts that change get a new id, so that nobody approves a text
 * that they have not read. The caller has locked the person.
 */
export async function storePendingTexts(
  tx: Tx,
  personId: string,
  changed: readonly string[],
  waiting: ProfileTexts,
  reason: ApprovalReason | null,
): Promise<void> {
  const rows = await many(
    tx,
    sql<OwnPendingProfile>`select ${columns} from pending_posts
      where author_id = ${personId} and said->'profile' is not null for update`,
  );
  const returned = rows.find(({ isReturned }) => isReturned);
  const before = rows.find(({ isReturned }) => !isReturned);
  if (returned) await keepTexts(tx, returned, omit(returned.texts, changed));
  const texts = { ...omit(before?.texts ?? {}, changed), ...waiting };
  if (isDeepStrictEqual(texts, before?.texts ?? {})) return;
  if (before) await run(tx, sql`delete from pending_posts where id = ${before.id}`);
  if (Object.keys(texts).length > 0)
    await insertTexts(tx, personId, texts, reason ?? before?.approvalReason ?? null);
  else if (before)
    await emit(tx, { type: "post.withdrawn", pendingPostId: before.id, groupId: null, by: personId });
}

function omit(texts: ProfileTexts, names: readonly string[]): ProfileTexts {
  const rest = { ...texts };
  for (const name of keysOf(texts)) if (names.includes(name)) delete rest[name];
  return rest;
}

const keepTexts = (tx: Tx, { id }: OwnPendingProfile, texts: ProfileTexts) =>
  run(
    tx,
    Object.keys(texts).length === 0
      ? sql`delete from pending_posts where id = ${id}`
      : sql`update pending_posts set said = ${JSON.stringify({ profile: texts })}::jsonb,
          body_html = ${toHtml(texts)} where id = ${id}`,
  );

async function insertTexts(tx: Tx, personId: string, texts: ProfileTexts, reason: ApprovalReason | null) {
  const id = tx.newId();
  await run(
    tx,
    sql`insert into pending_posts (id, author_id, said, body_html, approval_reason, created_at)
      values (${id}, ${personId}, ${JSON.stringify({ profile: texts })}::jsonb, ${toHtml(texts)},
        ${reason && JSON.stringify(reason)}::jsonb, ${tx.now})`,
  );
  await emit(tx, {
    type: "post.pending",
    pendingPostId: id,
    groupId: null,
    isResource: false,
    isProfile: true,
    by: personId,
  });
}

const toHtml = ({ bio = "" }: ProfileTexts) => (bio === "" ? "" : renderMarkdown(bio));

/** Publishes texts of a profile that were approved. Answers to fields that no longer exist are dropped. */
export async function publishProfileTexts(tx: Tx, personId: string, texts: ProfileTexts): Promise<void> {
  const { pronouns = null, location = null, bio = null, fields = null } = texts;
  await run(
    tx,
    sql`update people set pronouns = coalesce(${pronouns}::text, pronouns),
      location = coalesce(${location}::text, location), bio_md = coalesce(${bio}::text, bio_md),
      bio_html = coalesce(${bio === null ? null : renderMarkdown(bio)}::text, bio_html),
      fields = coalesce(${fields && JSON.stringify(fields)}::jsonb, fields), updated_at = ${tx.now}
      where id = ${personId}`,
  );
  const ids = (
    await many(tx, sql<{ id: string }>`select id from profile_fields where retired_at is null`)
  ).map(({ id }) => id);
  for (const id of ids) {
    const answer = texts[`answer:${id}`];
    if (answer) await storeAnswer(tx, personId, id, answer.said, answer.audience);
  }
  await emit(tx, { type: "person.changed", personId });
}

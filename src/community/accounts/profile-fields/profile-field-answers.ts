import { type Db, many, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import {
  type FieldAudience,
  isSignedIn,
  LIMITS,
  personRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { latestOwnTexts, listOwnPendingProfiles } from "../profiles/pending-profile.ts";
import { storeOrAwaitApproval } from "./answer-approval.ts";
import { type ProfileFieldDefinition, profileFieldColumns } from "./manage-profile-fields.ts";
import type { AnswersForm } from "./profile-field-forms.ts";
import { effectiveAudience } from "./profile-field-visibility.ts";
import { storeAnswer } from "./stored-answers.ts";

/** A field as its owner fills it in; `said` is empty if there is no answer. */
export type FieldToFill = ProfileFieldDefinition & { said: string[]; chosen: FieldAudience };

/** The profile fields with the viewer's answers, also those that wait for approval. Empty for guests. */
export async function listFieldsToFill(db: Db, viewer: Viewer): Promise<FieldToFill[]> {
  if (!isSignedIn(viewer)) return [];
  const fields = await many(
    db,
    sql<FieldToFill>`
      select ${profileFieldColumns("f")}, coalesce(v.said, '{}') as said,
        coalesce(v.audience, f.audience) as chosen
      from profile_fields f left
      join profile_values v on v.field_id = f.id and v.person_id = ${viewer.id}::uuid
      where f.retired_at is null order by f.place, f.id`,
  );
  const texts = latestOwnTexts(await listOwnPendingProfiles(db, viewer));
  return fields.map((field) => {
    const waiting = texts[`answer:${field.id}`];
    return waiting ? { ...field, said: waiting.said, chosen: waiting.audience } : field;
  });
}

/**
 * Condition: the person `p` has not answered a required field yet. An answer that waits for approval counts.
 * Never true for guests.
 */
export const lacksAnswers = (person: string) => {
  const p = sql.ref(person);
  return sql<boolean>`(${p}.state <> 'guest' and exists (
  select from profile_fields f where f.required and f.retired_at is null
    and not exists (select from profile_values v where v.field_id = f.id and v.person_id = ${p}.id)
    and not exists (select from pending_posts h where h.author_id = ${p}.id and h.returned_at is null
      and h.said->'profile' ? ('answer:' || f.id))))`;
};

/** Fields by which the directory can be filtered. Empty for guests, who do not see the directory. */
export async function listSearchableFields(db: Db, viewer: Viewer): Promise<ProfileFieldDefinition[]> {
  if (!isSignedIn(viewer)) return [];
  return many(
    db,
    sql<ProfileFieldDefinition>`select ${profileFieldColumns("f")} from profile_fields f
      where f.retired_at is null and f.kind in ('line', 'choice', 'choices')
        and not (f.locked and f.audience = 'nobody') order by f.place, f.id`,
  );
}

/**
 * Stores answers; an empty one is deleted. The viewer's own answer that needs approval waits; others see the
 * previous one until then, with the new audience.
 * @throws `not-found` unless it is the viewer's own profile or the viewer is an admin, `invalid` with a
 * message for each wrong field
 */
export async function answerFields(
  tx: Tx,
  viewer: Viewer,
  personId: string,
  answers: AnswersForm,
): Promise<void> {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
  const fields = await many(
    tx,
    sql<ProfileFieldDefinition>`select ${profileFieldColumns("f")} from profile_fields f
      where f.retired_at is null`,
  );
  const known = new Map(fields.map((field) => [field.id, field]));
  const rows = answers.flatMap(({ fieldId, said, audience }) => {
    const field = known.get(fieldId);
    // A field that was retired while the form was open is ignored.
    return field
      ? [
          {
            field,
            said: said.filter((text) => text !== ""),
            audience: field.locked ? field.audience : audience,
          },
        ]
      : [];
  });
  const faults = Object.fromEntries(
    rows.flatMap(({ field, said }) =>
      findAnswerFault(field, said) ? [[field.id, findAnswerFault(field, said)!]] : [],
    ),
  );
  if (Object.keys(faults).length > 0)
    throw new Refusal("invalid", "Check the marked fields.", { fields: faults });
  const me = requireMember(viewer);
  if (me.id === personId) await storeOrAwaitApproval(tx, me, rows);
  else
    for (const { field, said, audience } of rows) await storeAnswer(tx, personId, field.id, said, audience);
  await emit(tx, { type: "person.changed", personId });
}

function requireMember(viewer: Viewer): SignedIn {
  if (!isSignedIn(viewer)) throw notFound();
  return viewer;
}

const CHOICE_FAULT = { text: "Choose one of the options." };
const LINK_FAULT = { text: "Enter a full address that begins with https://." };
const DATE_FAULT = { text: "That is not a valid date." };
const MISSING_FAULT = { text: "This field is required." };
const LENGTH_FAULT = { text: "This is too long." };

/** Returns the problem of an answer, or null. */
function findAnswerFault({ kind, choices, required }: ProfileFieldDefinition, said: string[]): string | null {
  if (said.length === 0) return required ? MISSING_FAULT.text : null;
  if (kind === "choices")
    return said.every((it) => choices.includes(it)) && new Set(said).size === said.length
      ? null
      : CHOICE_FAULT.text;
  if (said.length > 1) return LENGTH_FAULT.text;
  const [text = ""] = said;
  if (kind === "choice") return choices.includes(text) ? null : CHOICE_FAULT.text;
  if (kind === "link") return isWebAddress(text) ? null : LINK_FAULT.text;
  if (kind === "date") return isCalendarDate(text) ? null : DATE_FAULT.text;
  return text.length > (kind === "line" ? LIMITS.profileFields.line : LIMITS.profileFields.text)
    ? LENGTH_FAULT.text
    : null;
}

const isWebAddress = (text: string) =>
  /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text);

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // JavaScript reads "30 February" as a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** An answer with its current audience. */
export type FieldAnswer = {
  id: string;
  label: string;
  kind: ProfileFieldDefinition["kind"];
  said: string[];
  audience: FieldAudience;
};

/**
 * The answers of the person `p` as one JSON value, in field order. The answers are not filtered:
 * `personRules` decides who sees which answer.
 */
export const answersJson = (person: string) => {
  const p = sql.ref(person);
  return sql<FieldAnswer[]>`coalesce((
  select json_agg(json_build_object('id', f.id, 'label', f.label, 'kind', f.kind, 'said', v.said, 'audience',
    ${effectiveAudience("f", "v")}) order by f.place, f.id)
  from profile_values v join profile_fields f on f.id = v.field_id and f.retired_at is null
    where v.person_id = ${p}.id), '[]')`;
};

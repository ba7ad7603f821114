import { type Db, many, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { type FieldAudience, isSignedIn, LIMITS, personRules, type Viewer } from "#community/rules";
import { type DefinedField, fieldColumns } from "./define.ts";
import type { AnswersForm } from "./forms.ts";
import { heldFor } from "./sight.ts";

/** A field as its owner fills it in; `said` is empty where they have not. */
export type FieldToFill = DefinedField & { said: string[]; chosen: FieldAudience };

/** What this community asks of its people, with what the viewer has said. Nothing for guests. */
export async function fieldsToFill(db: Db, viewer: Viewer): Promise<FieldToFill[]> {
  if (!isSignedIn(viewer)) return [];
  return many(
    db,
    sql<FieldToFill>`
      select ${fieldColumns}, coalesce(v.said, '{}') as said, coalesce(v.audience, f.audience) as chosen
      from profile_fields f left join profile_values v on v.field_id = f.id and v.person_id = ${viewer.id}::uuid
      where f.retired_at is null order by f.place, f.id`,
  );
}

/** Whether the person `p` has yet to say something that this community asks of everybody. */
export const lacksAnswers = sql<boolean>`(p.state <> 'guest' and exists (
  select from profile_fields f where f.required and f.retired_at is null
    and not exists (select from profile_values v where v.field_id = f.id and v.person_id = p.id)))`;

/** The fields by which the directory can be asked. Nothing for guests, who do not see it. */
export async function fieldsToAskBy(db: Db, viewer: Viewer): Promise<DefinedField[]> {
  if (!isSignedIn(viewer)) return [];
  return many(
    db,
    sql<DefinedField>`select ${fieldColumns} from profile_fields f
      where f.retired_at is null and f.kind in ('line', 'choice', 'choices') and not (f.locked and f.audience = 'nobody') order by f.place, f.id`,
  );
}

/**
 * Stores what somebody says in these fields; a field that is left empty is forgotten. Throws `not-found` unless it is the
 * viewer's own profile, or the viewer is an admin, and `invalid` with a sentence for each field that does not fit.
 */
export async function answerFields(tx: Tx, viewer: Viewer, personId: string, answers: AnswersForm): Promise<void> {
  if (!personRules.edit(viewer, { id: personId })) throw notFound();
  const fields = await many(tx, sql<DefinedField>`select ${fieldColumns} from profile_fields f where f.retired_at is null`);
  const known = new Map(fields.map((field) => [field.id, field]));
  const rows = answers.flatMap(({ fieldId, said, audience }) => {
    const field = known.get(fieldId);
    // One that was retired while the form stood open asks for nothing any more.
    return field ? [{ field, said: said.filter((text) => text !== ""), audience: field.locked ? field.audience : audience }] : [];
  });
  const faults = Object.fromEntries(rows.flatMap(({ field, said }) => (faultOf(field, said) ? [[field.id, faultOf(field, said)!]] : [])));
  if (Object.keys(faults).length > 0) throw new Refusal("invalid", "Please look at the marked fields.", { fields: faults });
  for (const { field, said, audience } of rows) await store(tx, personId, field.id, said, audience);
  await announce(tx, { type: "person.changed", personId });
}

const store = (tx: Tx, personId: string, fieldId: string, said: string[], audience: FieldAudience) =>
  run(
    tx,
    said.length === 0
      ? sql`delete from profile_values where person_id = ${personId} and field_id = ${fieldId}`
      : sql`insert into profile_values (person_id, field_id, said, audience) values (${personId}, ${fieldId}, ${said}, ${audience})
            on conflict (person_id, field_id) do update set said = excluded.said, audience = excluded.audience`,
  );

const CHOOSE = { say: "Choose one of what is offered." };
const NO_LINK = { say: "Give a whole address, with https:// in front." };
const NO_DATE = { say: "That is not a day of the calendar." };
const MISSING = { say: "This community asks everybody to fill this in." };
const TOO_LONG = { say: "That is longer than fits here." };

/** What is wrong with what was said, if anything. */
function faultOf({ kind, choices, required }: DefinedField, said: string[]): string | null {
  if (said.length === 0) return required ? MISSING.say : null;
  if (kind === "choices") return said.every((it) => choices.includes(it)) && new Set(said).size === said.length ? null : CHOOSE.say;
  if (said.length > 1) return TOO_LONG.say;
  const [text = ""] = said;
  if (kind === "choice") return choices.includes(text) ? null : CHOOSE.say;
  if (kind === "link") return isWebAddress(text) ? null : NO_LINK.say;
  if (kind === "date") return isDay(text) ? null : NO_DATE.say;
  return text.length > (kind === "line" ? LIMITS.profileFields.line : LIMITS.profileFields.text) ? TOO_LONG.say : null;
}

const isWebAddress = (text: string) => /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text);

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // "30 February" would become a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** What somebody said in a field, and for whom it holds now. */
export type FieldAnswer = { id: string; label: string; kind: DefinedField["kind"]; said: string[]; audience: FieldAudience };

/** The answers of the person `p` as one JSON value, in the order of the fields; who sees which is for the rules to say. */
export const answersJson = sql<FieldAnswer[]>`coalesce((
  select json_agg(json_build_object('id', f.id, 'label', f.label, 'kind', f.kind, 'said', v.said, 'audience', ${heldFor}) order by f.place, f.id)
  from profile_values v join profile_fields f on f.id = v.field_id and f.retired_at is null where v.person_id = p.id), '[]')`;

import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import { type FieldAudience, LIMITS, personRules, type Viewer } from "#community/rules";
import { type FieldForm, type FieldKind, hasChoices, type NewFieldForm } from "./profile-field-forms.ts";

/** A profile field as an admin defined it. */
export type ProfileFieldDefinition = {
  id: string;
  label: string;
  hint: string;
  kind: FieldKind;
  choices: string[];
  audience: FieldAudience;
  locked: boolean;
  required: boolean;
  retiredAt: Date | null;
};

export const profileFieldColumns = (field: string) => {
  const f = sql.ref(field);
  return sql`${f}.id, ${f}.label, ${f}.hint, ${f}.kind, ${f}.choices, ${f}.audience, ${f}.locked,
    ${f}.required, ${f}.retired_at as "retiredAt"`;
};

/**
 * All fields in their order, retired ones last, with the number of answers.
 * @throws `not-found` for all but admins
 */
export async function listProfileFields(
  db: Db,
  viewer: Viewer,
): Promise<(ProfileFieldDefinition & { answers: number })[]> {
  assertCanDefineFields(viewer);
  return many(
    db,
    sql<ProfileFieldDefinition & { answers: number }>`
      select ${profileFieldColumns("f")},
        (select count(*)::int from profile_values v where v.field_id = f.id) as answers
      from profile_fields f order by f.retired_at is not null, f.place, f.id`,
  );
}

/**
 * Adds a field at the end.
 * @throws `not-found` for all but admins, `invalid` without choices or with too many fields
 */
export async function addProfileField(tx: Tx, viewer: Viewer, form: NewFieldForm): Promise<{ id: string }> {
  assertCanDefineFields(viewer);
  const { count, last } = (await maybeOne(
    tx,
    sql<{
      count: number;
      last: number;
    }>`select count(*)::int as count, coalesce(max(place), 0) as last from profile_fields
      where retired_at is null`,
  ))!;
  if (count >= LIMITS.profileFields.count)
    throw new Refusal("conflict", "There can be at most 40 fields. Retire one first.");
  const id = tx.newId();
  await run(
    tx,
    sql`insert into profile_fields (id, label, hint, kind, choices, audience, locked, required, place,
      created_at, created_by)
        values (${id}, ${form.label}, ${form.hint}, ${form.kind}, ${readChoices(form.kind, form)},
          ${form.audience}, ${form.locked}, ${form.required},
          ${last + 1}, ${tx.now}, ${viewer.id})`,
  );
  await recordFieldChange(tx, viewer, "profile-field.added", id);
  return { id };
}

/**
 * Changes a field and its audience; existing answers never get a wider audience than their owner chose.
 * @throws like `addProfileField`
 */
export async function changeProfileField(
  tx: Tx,
  viewer: Viewer,
  fieldId: string,
  form: FieldForm,
): Promise<void> {
  const { kind } = await getFieldToChange(tx, viewer, fieldId);
  await run(
    tx,
    sql`update profile_fields
      set label = ${form.label}, hint = ${form.hint}, choices = ${readChoices(kind, form)},
        audience = ${form.audience},
          locked = ${form.locked}, required = ${form.required} where id = ${fieldId}`,
  );
  await recordFieldChange(tx, viewer, "profile-field.changed", fieldId);
}

/**
 * Moves a field one position; does nothing at the end.
 * @throws `not-found` for all but admins
 */
export async function moveProfileField(
  tx: Tx,
  viewer: Viewer,
  fieldId: string,
  to: "up" | "down",
): Promise<void> {
  await getFieldToChange(tx, viewer, fieldId);
  const ids = (
    await many(
      tx,
      sql<{
        id: string;
      }>`select id from profile_fields where retired_at is null order by place, id for update`,
    )
  ).map((row) => row.id);
  const at = ids.indexOf(fieldId.toLowerCase());
  const other = to === "up" ? at - 1 : at + 1;
  if (at < 0 || ids[other] === undefined) return;
  [ids[at], ids[other]] = [ids[other], ids[at]!];
  await run(
    tx,
    sql`update profile_fields f set place = o.place
      from unnest(${ids}::uuid[]) with ordinality as o (id, place) where f.id = o.id`,
  );
  await recordFieldChange(tx, viewer, "profile-field.moved", fieldId);
}

/** Retires a field: it is no longer asked or shown; answers are kept in case it is restored. */
export async function retireProfileField(tx: Tx, viewer: Viewer, fieldId: string): Promise<void> {
  await getFieldToChange(tx, viewer, fieldId);
  await run(
    tx,
    sql`update profile_fields set retired_at = ${tx.now}, retired_by = ${viewer.id}
      where id = ${fieldId} and retired_at is null`,
  );
  await recordFieldChange(tx, viewer, "profile-field.retired", fieldId);
}

/**
 * Restores a retired field, at the end.
 * @throws `conflict` at the limit
 */
export async function restoreProfileField(tx: Tx, viewer: Viewer, fieldId: string): Promise<void> {
  await getFieldToChange(tx, viewer, fieldId);
  const brought = await run(
    tx,
    sql`update profile_fields set retired_at = null, retired_by = null,
          place = (select coalesce(max(place), 0) + 1 from profile_fields where retired_at is null)
        where id = ${fieldId} and (select count(*) from profile_fields
          where retired_at is null) < ${LIMITS.profileFields.count}`,
  );
  if (brought === 0) throw new Refusal("conflict", "There can be at most 40 fields. Retire one first.");
  await recordFieldChange(tx, viewer, "profile-field.restored", fieldId);
}

function assertCanDefineFields(viewer: Viewer): void {
  if (!personRules.defineFields(viewer)) throw notFound();
}

async function getFieldToChange(tx: Tx, viewer: Viewer, fieldId: string): Promise<ProfileFieldDefinition> {
  assertCanDefineFields(viewer);
  const field =
    isId(fieldId) &&
    (await maybeOne(
      tx,
      sql<ProfileFieldDefinition>`
        select ${profileFieldColumns("f")} from profile_fields f where f.id = ${fieldId} for update`,
    ));
  if (!field) throw notFound();
  return field;
}

function readChoices(kind: FieldKind, { choices }: Pick<FieldForm, "choices">): string[] {
  if (!hasChoices(kind)) return [];
  if (choices.length === 0) throw invalid("choices", "Enter the choices, one per line.");
  return choices;
}

async function recordFieldChange(tx: Tx, viewer: Viewer, act: string, id: string): Promise<void> {
  await writeAudit(tx, viewer, { act, kind: "profile-field", id });
  // Profile fields appear on every profile, so cached pages are dropped as after a change of the settings.
  await emit(tx, { type: "settings.changed", keys: "profileFields", by: viewer.id! });
}

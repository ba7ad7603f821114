import { sql } from "#platform/database";
import { AUDIENCES, type Viewer } from "#community/rules";
import { isFieldReadable } from "../profiles/people-visibility.ts";

/**
 * `narrowerAudience` in SQL: the audience of the answer `v` in the field `f`. If the field is locked, older
 * answers are restricted too.
 */
export const effectiveAudience = (field: string, value: string) => {
  const [f, v] = [sql.ref(field), sql.ref(value)];
  return sql<string>`
  (case when ${f}.locked and array_position(${[...AUDIENCES]}::text[],
    ${f}.audience) < array_position(${[...AUDIENCES]}::text[], ${v}.audience)
    then ${f}.audience else ${v}.audience end)`;
};

/**
 * Condition: the person `p` gave this answer in a field, and the viewer may see it. Hidden answers never
 * match.
 */
export const hasMatchingAnswer = (viewer: Viewer, fieldId: string, wanted: string, person: string) => {
  const p = sql.ref(person);
  return sql<boolean>`exists (
  select from profile_values v join profile_fields f on f.id = v.field_id and f.retired_at is null
  where v.person_id = ${p}.id and v.field_id = ${fieldId}::uuid
    and case f.kind
    when 'line' then lower(v.said[1]) like ${`%${wanted.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`}
      else v.said @> array[${wanted}::text] and f.kind in ('choice', 'choices') end
    and ${isFieldReadable(viewer, effectiveAudience("f", "v"), person)})`;
};

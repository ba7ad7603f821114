import { sql } from "#platform/database";
import { AUDIENCES, type Viewer } from "#community/rules";
import { fieldReadable } from "../visible.ts";

/** Whom what was said `v` in the field `f` is for: `narrowerOf` in SQL. A locked field holds for answers from before, too. */
export const heldFor = sql<string>`
  (case when f.locked and array_position(${[...AUDIENCES]}::text[], f.audience) < array_position(${[...AUDIENCES]}::text[], v.audience)
    then f.audience else v.audience end)`;

/** Whether the person `p` has said this in a field, to the viewer among others: what one is not shown never finds anybody. */
export const saysTo = (viewer: Viewer, fieldId: string, wanted: string) => sql<boolean>`exists (
  select from profile_values v join profile_fields f on f.id = v.field_id and f.retired_at is null
  where v.person_id = p.id and v.field_id = ${fieldId}::uuid
    and case f.kind when 'line' then lower(v.said[1]) like ${`%${wanted.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`}
      else v.said @> array[${wanted}::text] and f.kind in ('choice', 'choices') end
    and ${fieldReadable(viewer, heldFor)})`;

import { run, sql, type Tx } from "#platform/database";
import type { FieldAudience } from "#community/rules";

/** Stores an answer to a profile field; an empty one is deleted. */
export const storeAnswer = (
  tx: Tx,
  personId: string,
  fieldId: string,
  said: string[],
  audience: FieldAudience,
): Promise<number> =>
  run(
    tx,
    said.length === 0
      ? sql`delete from profile_values where person_id = ${personId} and field_id = ${fieldId}`
      : sql`insert into profile_values (person_id, field_id, said, audience)
        values (${personId}, ${fieldId}, ${said}, ${audience})
            on conflict (person_id, field_id) do update set said = excluded.said,
              audience = excluded.audience`,
  );

/** Changes who sees the answer to a profile field, if there is one. */
export const setAnswerAudience = (
  tx: Tx,
  personId: string,
  fieldId: string,
  audience: FieldAudience,
): Promise<number> =>
  run(
    tx,
    sql`update profile_values set audience = ${audience}
      where person_id = ${personId} and field_id = ${fieldId}`,
  );

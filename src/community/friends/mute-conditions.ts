import { sql } from "#platform/database";
import type { Viewer } from "#community/rules";

type Sql = ReturnType<typeof sql>;

// The end of a mute is compared with the database's clock, because list queries have no `now` parameter.

/** Whether `muter` mutes `muted` at present; both are ids in the statement. */
export const isMuting = (muter: Sql, muted: Sql) =>
  sql<boolean>`exists (select from mutes
    where muter_id = ${muter} and muted_id = ${muted} and coalesce(until > now(), true))`;

/** Ids of the people the viewer mutes, computed once per statement. */
export const mutedIds = (viewer: Viewer) =>
  sql<
    string[]
  >`array(select muted_id from mutes where muter_id = ${viewer.id}::uuid and coalesce(until > now(), true))`;

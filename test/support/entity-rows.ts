import { type Db, many, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { ApiEntity } from "../../src/community/api-entities/entities/entity.ts";

/** All rows of an entity as a viewer reads them through the table engine; ids and times as text. */
export const readEntityRows = (
  db: Db,
  viewer: Viewer,
  noun: ApiEntity,
  where = sql`true`,
): Promise<Record<string, unknown>[]> =>
  many(
    db,
    sql<Record<string, unknown>>`
      select
        ${sql.join(noun.columns.map(({ name, sqlName, seen }) => sql`${seen ? seen(viewer, "t") : sql.ref(`t.${sqlName}`)} as ${sql.ref(name)}`))}
      from published.${sql.ref(noun.view)} t where ${noun.visible(viewer, "t")} and ${where}`,
  );

import { type Db, many, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import type { ApiEntity } from "../../src/community/api-entities/entities/entity.ts";

/** Reads all rows of an entity that a viewer may see, through the table engine; ids and times as text. */
export const readEntityRows = (
  db: Db,
  viewer: Viewer,
  entity: ApiEntity,
  where = sql`true`,
): Promise<Record<string, unknown>[]> => {
  const columns = entity.columns.map(({ name, sqlName, seen }) => {
    const value = seen ? seen(viewer, "t") : sql.ref(`t.${sqlName}`);
    return sql`${value} as ${sql.ref(name)}`;
  });
  return many(
    db,
    sql<Record<string, unknown>>`
      select ${sql.join(columns)}
      from published.${sql.ref(entity.view)} t where ${entity.visible(viewer, "t")} and ${where}`,
  );
};

import { type Db, maybeOne, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import { API_ENTITIES } from "./index.ts";

/** A record as the viewer may read it now: ids and texts as text, times as dates. */
export type EntityRow = Record<string, unknown> & { objectId: string };

/**
 * One record of an entity by objectId.
 * @throws `not-found` if missing or hidden
 */
export async function getEntityRow(
  db: Db,
  viewer: Viewer,
  name: string,
  objectId: string,
): Promise<EntityRow> {
  const entity = API_ENTITIES.find((it) => it.name === name);
  if (!entity) throw notFound();
  const columns = entity.columns.map(
    (column) =>
      sql`${column.seen?.(viewer, "t") ?? sql.ref(`t.${column.sqlName}`)} as ${sql.ref(column.name)}`,
  );
  const [id] = entity.columns;
  const found = await maybeOne(
    db,
    sql<EntityRow>`select ${sql.join(columns)} from published.${sql.ref(entity.view)} t
      where ${id!.among!("t", [objectId])} and ${entity.visible(viewer, "t")}`,
  );
  if (!found) throw notFound();
  return found;
}

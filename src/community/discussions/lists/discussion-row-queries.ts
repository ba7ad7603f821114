import { type Db, many, sql } from "#platform/database";
import type { Viewer } from "#community/rules";
import { selectDiscussionRows } from "../discussion-columns.ts";

type Sql = ReturnType<typeof sql>;

/**
 * Rows of the discussions that `picked` selects (`select d.* … limit n`), in the given order. Selecting
 * before joining lets PostgreSQL use the index of a long list.
 */
export const listDiscussionRows = <More = unknown>(
  db: Db,
  viewer: Viewer,
  picked: Sql,
  order: Sql,
  more: { columns: Sql; joins: Sql } = { columns: sql``, joins: sql`` },
) => many(db, selectDiscussionRows<More>(viewer, picked, order, more));

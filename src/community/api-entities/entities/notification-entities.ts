import { sql } from "#platform/database";
import { isNotificationListed, isNotificationVisible } from "#community/notifications";
import {
  columnRef,
  booleanColumn,
  commonColumns,
  dateColumn,
  intColumn,
  type ApiEntity,
  idColumn,
  stringColumn,
} from "./entity.ts";

export const Notifications: ApiEntity = {
  name: "Notifications",
  view: "notifications",
  about: "Your notifications about content that you can still see.",
  columns: [
    ...commonColumns(idColumn("objectId")),
    stringColumn("kind"),
    stringColumn("reason"),
    stringColumn("detail"),
    intColumn("count"),
    stringColumn("aboutKind"),
    idColumn("aboutId"),
    idColumn("latestId"),
    booleanColumn("unread"),
    dateColumn("seenAt"),
  ],
  relations: [],
  visible: (
    viewer,
    alias,
  ) => sql`(${columnRef(alias, "owner_id")} is not distinct from ${viewer.id}::uuid and exists (
    select from notifications n where n.id = ${columnRef(alias, "object_id")} and ${isNotificationListed("n")}
      and ${isNotificationVisible}))`,
};

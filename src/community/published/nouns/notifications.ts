import { sql } from "#platform/database";
import { current, inSight } from "#community/notifications";
import { at, boolean, common, date, int, type PublishedNoun, ref, string } from "./noun.ts";

export const Notifications: PublishedNoun = {
  name: "Notifications",
  view: "notifications",
  about: "What one is told of, as far as one may still know of it.",
  columns: [
    ...common(ref("objectId")),
    string("kind"),
    string("reason"),
    string("detail"),
    int("count"),
    string("aboutKind"),
    ref("aboutId"),
    ref("latestId"),
    boolean("unread"),
    date("seenAt"),
  ],
  relations: [],
  visible: (viewer, alias) => sql`(${at(alias, "owner_id")} is not distinct from ${viewer.id}::uuid and exists (
    select from notifications n where n.id = ${at(alias, "object_id")} and ${current} and ${inSight}))`,
};

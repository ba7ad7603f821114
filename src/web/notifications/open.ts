import { redirect } from "react-router";
import { openNotification } from "#community/notifications";
import { membersOnly } from "../auth.ts";
import { reading, signedIn } from "../visit.ts";
import { targetOf } from "./target.ts";

export const middleware = [membersOnly];

/** Redirects from a notification to its target and marks it as read. */
export const loader = reading(async ({ house, viewer, params }) => {
  const me = signedIn(viewer);
  const line = await house.database.inTransaction((tx) => openNotification(tx, me, { id: params["notificationId"]! }));
  throw redirect(targetOf(line, me.id));
});

import { redirect } from "react-router";
import { openNotification } from "#community/notifications";
import { membersOnly } from "../auth.ts";
import { reading, signedIn } from "../visit.ts";
import { targetOf } from "./target.ts";

export const middleware = [membersOnly];

/** The way from a notification to what it is about. Going it is reading it. */
export const loader = reading(async ({ house, viewer, params }) => {
  const me = signedIn(viewer);
  const line = await house.database.inTransaction((tx) => openNotification(tx, me, { id: params["notificationId"]! }));
  throw redirect(targetOf(line, me.id));
});

import { redirect } from "react-router";
import { openNotification } from "#community/notifications";
import { requireMember } from "../auth-middleware.ts";
import { defineLoader, requireSignedIn } from "../request-context.ts";
import { notificationUrl } from "./notification-target.ts";

export const middleware = [requireMember];

/** Redirects from a notification to its target and marks it as read. */
export const loader = defineLoader(async ({ app, viewer, params }) => {
  const me = requireSignedIn(viewer);
  const line = await app.database.inTransaction((tx) =>
    openNotification(tx, me, { id: params["notificationId"]! }),
  );
  throw redirect(notificationUrl(line, me.id));
});

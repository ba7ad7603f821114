import { listNotifications, markNotificationsSeen } from "#community/notifications";
import { NOTIFICATION_TABS } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import { liveResponse } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";

/** Returns the current first page of a list, for an open page. */
export const loader = defineLoader(({ app, db, viewer, url }) =>
  liveResponse(async () => {
    const tab = NOTIFICATION_TABS.find((name) => name === readQueryParam(url, "tab")) ?? "all";
    const page = await listNotifications(db, viewer, { tab });
    await app.database.inTransaction((tx) => markNotificationsSeen(tx, viewer));
    return page;
  }),
);

import { notificationsOf, seeNotifications } from "#community/notifications";
import { NOTIFICATION_TABS } from "#community/rules";
import { asked } from "../forms.ts";
import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";

/** The start of a list now, for an open page. */
export const loader = reading(({ house, db, viewer, url }) =>
  answerNow(async () => {
    const tab = NOTIFICATION_TABS.find((name) => name === asked(url, "tab")) ?? "all";
    const page = await notificationsOf(db, viewer, { tab });
    await house.database.inTransaction((tx) => seeNotifications(tx, viewer));
    return page;
  }),
);

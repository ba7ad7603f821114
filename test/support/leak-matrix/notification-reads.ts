import { many, sql } from "#platform/database";
import {
  getAnnouncement,
  assertCanAnnounce,
  getBadges,
  getHomeSidebar,
  getNotificationSettings,
  getNotification,
  listNotifications,
  getPageSidebar,
} from "#community/notifications";
import { isSignedIn } from "#community/rules";
import { now, type Reads } from "./leak-context.ts";

export const notificationReads: Reads = {
  badges: (db, viewer) => getBadges(db, viewer),
  notifications: (db, viewer) => listNotifications(db, viewer, { tab: "all" }),
  announcement: (db, viewer, at) => getAnnouncement(db, viewer, at.announcementId),
  "room for an announcement": (db, viewer, at) => assertCanAnnounce(db, viewer, at.groupId),
  "what is heard of": (db, viewer) => getNotificationSettings(db, viewer, now()),
  "each notification": async (db, viewer) => {
    const own = await many(
      db,
      sql<{ id: string }>`select id from notifications where person_id = ${viewer.id}::uuid`,
    );
    return Promise.all(own.map(({ id }) => getNotification(db, viewer, id).catch(() => null)));
  },
  "beside home": async (db, viewer) => (isSignedIn(viewer) ? getHomeSidebar(db, viewer, now()) : null),
  shell: async (db, viewer) => (isSignedIn(viewer) ? getPageSidebar(db, viewer) : null),
};

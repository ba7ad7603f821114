import { many, sql } from "#platform/database";
import {
  announcementFor,
  assertMayAnnounce,
  badgesFor,
  besideHome,
  noticesFor,
  notificationFor,
  notificationsOf,
  shellFor,
} from "#community/notifications";
import { isSignedIn } from "#community/rules";
import { now, type Reads } from "./house.ts";

export const notifications: Reads = {
  badges: (db, viewer) => badgesFor(db, viewer),
  notifications: (db, viewer) => notificationsOf(db, viewer, { tab: "all" }),
  announcement: (db, viewer, at) => announcementFor(db, viewer, at.announcementId),
  "room for an announcement": (db, viewer, at) => assertMayAnnounce(db, viewer, at.groupId),
  "what is heard of": (db, viewer) => noticesFor(db, viewer, now()),
  "each notification": async (db, viewer) => {
    const own = await many(db, sql<{ id: string }>`select id from notifications where person_id = ${viewer.id}::uuid`);
    return Promise.all(own.map(({ id }) => notificationFor(db, viewer, id).catch(() => null)));
  },
  "beside home": async (db, viewer) => (isSignedIn(viewer) ? besideHome(db, viewer, now()) : null),
  shell: async (db, viewer) => (isSignedIn(viewer) ? shellFor(db, viewer) : null),
};

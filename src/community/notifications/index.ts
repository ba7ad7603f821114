export { badgesFor } from "./badges.ts";
export { besideHome } from "./home.ts";
export type { BesideHome } from "./home.ts";
export type { Badges, Waiting } from "./badges.ts";
export { shellFor } from "./shell.ts";
export type { Shell } from "./shell.ts";
export { endWhatIsOver, ENDING, tellOf, tellTheRest, TOLD } from "./tell.ts";
export { notificationFor, notificationsOf } from "./list.ts";
export type { NotificationLine } from "./list.ts";
export {
  letSendersOut,
  muteNotified,
  openNotification,
  readAllNotifications,
  readNotification,
  sawDiscussion,
  sawResource,
  seeNotifications,
  unreadNotification,
} from "./acts.ts";
export {
  chooseMail,
  Choices,
  Digest,
  noticesFor,
  Pause,
  pauseNotifications,
  QuietHours,
  saveChoices,
  saveDigest,
  saveQuietHours,
  saveSendersApart,
  SendersApart,
} from "./choices.ts";
export type { Notices } from "./choices.ts";
export { current, inSight } from "./sight.ts";
export { purgeNotifications } from "./keeping.ts";
export {
  announcementFor,
  announceToAll,
  assertMayAnnounce,
  NewAnnouncement,
  sawAnnouncement,
  takeAnnouncementBack,
} from "./announcements.ts";
export type { Announcement } from "./announcements.ts";

export { getBadges } from "./badges.ts";
export { getHomeSidebar } from "./home.ts";
export type { HomeSidebar } from "./home.ts";
export type { Badges, PendingTasks } from "./badges.ts";
export { getPageSidebar } from "./shell.ts";
export type { PageSidebar } from "./shell.ts";
export { endNotificationsForEvent, ENDING_EVENTS, notifyOfEvent, notifyNextBatch, NOTIFYING_EVENTS } from "./tell.ts";
export { getNotification, listNotifications } from "./list.ts";
export type { NotificationItem } from "./list.ts";
export {
  allowSenders,
  muteNotificationSource,
  openNotification,
  markAllNotificationsRead,
  markNotificationRead,
  markDiscussionSeen,
  markResourceSeen,
  markNotificationsSeen,
  markNotificationUnread,
} from "./acts.ts";
export {
  changeMailLevel,
  KindChoices,
  DigestSettings,
  getNotificationSettings,
  PauseInput,
  pauseNotifications,
  QuietHoursInput,
  saveKindChoices,
  saveDigestSettings,
  saveQuietHours,
  saveSenderFolder,
  SenderFolderSettings,
} from "./choices.ts";
export type { NotificationSettings } from "./choices.ts";
export { notificationListed, notificationVisible } from "./sight.ts";
export { deleteOldNotifications } from "./keeping.ts";
export {
  getAnnouncement,
  createAnnouncement,
  assertCanAnnounce,
  NewAnnouncement,
  markAnnouncementSeen,
  withdrawAnnouncement,
} from "./announcements.ts";
export type { Announcement } from "./announcements.ts";

export { getBadges } from "./badges.ts";
export { getHomeSidebar } from "./home-sidebar.ts";
export type { UpcomingEvent } from "./home-sidebar.ts";
export type { HomeSidebar } from "./home-sidebar.ts";
export type { Badges, PendingTasks } from "./badges.ts";
export { getPageSidebar } from "./page-sidebar.ts";
export type { PageSidebar } from "./page-sidebar.ts";
export {
  endNotificationsForEvent,
  NOTIFICATION_ENDING_EVENTS,
  notifyOfEvent,
  notifyOfEventWithin,
  notifyNextBatch,
  NOTIFYING_EVENTS,
} from "./notify-event.ts";
export { getNotification, listNotifications } from "./notification-list.ts";
export type { NotificationItem } from "./notification-list.ts";
export {
  allowSenders,
  muteNotificationSource,
  openNotification,
  markAllNotificationsRead,
  markNotificationRead,
  markDiscussionSeen,
  markDatePollSeen,
  markEventSeen,
  markResourceSeen,
  markNotificationsSeen,
  markNotificationUnread,
} from "./notification-commands.ts";
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
} from "./notification-settings.ts";
export type { NotificationSettings } from "./notification-settings.ts";
export { isNotificationListed, isNotificationVisible } from "./notification-visibility.ts";
export { deleteOldNotifications } from "./notification-retention.ts";
export {
  getAnnouncement,
  createAnnouncement,
  assertCanAnnounce,
  NewAnnouncement,
  markAnnouncementSeen,
  withdrawAnnouncement,
} from "./announcements.ts";
export type { Announcement } from "./announcements.ts";

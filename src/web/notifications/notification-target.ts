import type { NotificationItem } from "#community/notifications";
import { urls } from "../urls.ts";

/** URL that a notification leads to: the exact post, or the pending request. */
export function notificationUrl(
  { kind, object, group, number, detail, takenId }: NotificationItem,
  meId: string,
): string {
  // The author or owner may no longer see removed content, so the URL leads to the appeal page.
  if (kind === "post_removed" && detail === "hidden resource") return urls.resource(object.id);
  if (kind === "post_removed" && detail === "resource") return urls.appealResource(object.id);
  if (kind === "post_removed" && ["warned", "locked", "slowed"].includes(detail) && !object.title)
    return urls.notifications();
  if (kind === "post_removed" && number === null && !["warned", "locked", "slowed"].includes(detail))
    return takenId ? urls.appealRemoval(takenId) : group ? urls.group(group.slug) : urls.notifications();
  if (kind === "post_waits")
    return group ? urls.manageGroup(group.slug, "posts") : urls.moderation({ tab: "posts" });
  if (kind === "post_decided" && detail === "returned published resource") return urls.resource(object.id);
  if (kind === "post_decided" && detail?.startsWith("returned")) return `${urls.drafts()}#waiting`;
  if (object.kind === "discussion")
    return urls.discussion(object.id, number === null ? {} : { post: number });
  if (object.kind === "conversation") return urls.conversation(object.id);
  if (object.kind === "resource") return urls.resource(object.id, number === null ? {} : { post: number });
  if (object.kind === "event") return urls.event(object.id);
  if (object.kind === "date_poll") return urls.datePoll(object.id);
  if (object.kind === "search") return urls.search({ saved: object.id });
  if (object.kind === "report") return kind === "report" ? urls.report(object.id) : urls.ownReports();
  if (object.kind === "announcement") return urls.announcement(object.id);
  if (kind === "group_request" && group) return urls.manageGroup(group.slug, "requests");
  if (kind === "group_appeal" && group) return urls.manageGroup(group.slug, "members");
  if (kind === "group_decision" && (detail === "banned" || detail === "appeal_declined"))
    return urls.groupAppeal(object.id);
  if (kind === "group_decision" && detail === "inspected" && group)
    return urls.manageGroup(group.slug, "log");
  if (kind === "group_waits") return urls.groupsDesk();
  if (kind === "account_waits") return urls.accounts({ state: "pending_approval" });
  if (kind === "webhook_paused") return detail ? urls.manageGroup(detail, "webhooks") : urls.webhooks();
  if (object.kind === "group") return group ? urls.group(group.slug) : urls.groups();
  if (kind === "security" && (detail === "limited" || detail === "restored"))
    return urls.loginPage("standing");
  if (kind === "security" && (detail === "tokenCreated" || detail === "tokenRevoked"))
    return urls.settings(meId, "tokens");
  if (kind === "security") return urls.settings(meId, "security", "sessions");
  return kind === "friend_request" ? urls.friends({ tab: "received" }) : urls.person(object.id);
}

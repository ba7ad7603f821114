import { type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

/** Events of outgoing webhooks that exist in a group and on the whole site, in the order of the form. */
export const GROUP_WEBHOOK_EVENTS = [
  "discussion.created",
  "discussion.updated",
  "discussion.deleted",
  "post.created",
  "post.updated",
  "post.deleted",
  "resource.created",
  "resource.updated",
  "resource.deleted",
  "event.created",
  "event.changed",
  "event.cancelled",
  "event.answered",
  "event.soon",
  "member.joined",
  "member.left",
  "report.created",
] as const;
/** All events of outgoing webhooks: those of groups, and those of the site alone. */
export const WEBHOOK_EVENTS = [...GROUP_WEBHOOK_EVENTS, "group.created", "person.joined"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const webhookRules = {
  /** Whether the viewer may manage webhooks of the whole site: admins only. */
  manageSite: (viewer: Viewer) => isSignedIn(viewer) && viewer.role === "admin" && !viewer.limited,
  /** Whether the viewer may manage webhooks of the group: its owners, while it is active. */
  manageIn: (viewer: Viewer, group: GroupFacts) =>
    isSignedIn(viewer) && !viewer.limited && group.state === "active" && groupRules.manage(viewer, group),
};

import { keysOf } from "#platform/objects";
import type { SettingsPage } from "../../urls.ts";

const ANCHORS: Record<SettingsPage, string[]> = {
  profile: ["profile", "asked"],
  account: ["account", "email", "username"],
  security: ["password", "passkeys", "second-step", "sessions", "providers"],
  tokens: ["tokens"],
  privacy: ["privacy", "blocked", "filters"],
  notifications: ["mail", "notify", "push", "quiet", "pause", "digest", "apart"],
  appearance: ["display"],
  data: ["data", "offline", "leave"],
};

/**
 * The page that has an anchor, or undefined. `notify-…` names a kind of notification, a group or a
 * discussion.
 */
export const findSettingsPage = (anchor: string): SettingsPage | undefined =>
  anchor.startsWith("notify-")
    ? "notifications"
    : keysOf(ANCHORS).find((page) => ANCHORS[page].includes(anchor));

import type { SettingsSectionProps } from "../settings.tsx";
import { NotificationKindTable } from "./kind-grid.tsx";
import { FollowedDiscussions, GroupLevels } from "./notice-places.tsx";
import { DigestForm, PauseForm, QuietHoursForm, SendersForm } from "./notice-times.tsx";

/**
 * Which notifications arrive, by which channel, from where and when. Each section saves separately, under an
 * anchor that emails link to.
 */
export const NotificationSettings = (part: SettingsSectionProps) => (
  <>
    <NotificationKindTable {...part} />
    <GroupLevels {...part} />
    <FollowedDiscussions {...part} />
    <QuietHoursForm {...part} />
    <PauseForm {...part} />
    <DigestForm {...part} />
    <SendersForm {...part} />
  </>
);

import type { SettingsSectionProps } from "../../account-settings-page.tsx";
import { NotificationKindTable } from "./notification-kind-table.tsx";
import { FollowedDiscussions, GroupLevels } from "./group-levels.tsx";
import { DigestForm, PauseForm, QuietHoursForm, SendersForm } from "./delivery-times.tsx";

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

import type { SettingsSectionProps } from "../settings-data.ts";
import { NotificationKindTable } from "./notification-kind-table.tsx";
import { FollowedDiscussions, GroupLevels } from "./group-levels.tsx";
import { DigestForm, PauseForm, QuietHoursForm, SendersForm } from "./delivery-times.tsx";

/** Which notifications are sent, by which channel, and from which groups. Emails link to the anchors. */
export const NotificationSettings = (part: SettingsSectionProps<"notifications">) => (
  <>
    <NotificationKindTable {...part} />
    <GroupLevels {...part} />
    <FollowedDiscussions {...part} />
  </>
);

/** When emails and push notifications arrive, and from whom. */
export const DeliverySettings = (part: SettingsSectionProps<"notifications">) => (
  <>
    <QuietHoursForm {...part} />
    <PauseForm {...part} />
    <DigestForm {...part} />
    <SendersForm {...part} />
  </>
);

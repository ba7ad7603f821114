import type { PartProps } from "../settings.tsx";
import { KindGrid } from "./kind-grid.tsx";
import { FollowedDiscussions, GroupLevels } from "./notice-places.tsx";
import { DigestForm, PauseForm, QuietForm, SendersForm } from "./notice-times.tsx";

/**
 * Which notifications arrive, by which channel, from where and when. Each section saves separately, under an
 * anchor that emails link to.
 */
export const Notices = (part: PartProps) => (
  <>
    <KindGrid {...part} />
    <GroupLevels {...part} />
    <FollowedDiscussions {...part} />
    <QuietForm {...part} />
    <PauseForm {...part} />
    <DigestForm {...part} />
    <SendersForm {...part} />
  </>
);

import type { PartProps } from "../settings.tsx";
import { KindGrid } from "./kind-grid.tsx";
import { FollowedDiscussions, GroupLevels } from "./notice-places.tsx";
import { DigestForm, PauseForm, QuietForm, SendersForm } from "./notice-times.tsx";

/** What somebody hears of, by which way, from where and when. Each part saves on its own, under an anchor that mails lead to. */
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

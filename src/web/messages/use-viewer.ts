import type { SignedIn } from "#community/rules";
import { useRootData } from "../ui/index.ts";

/**
 * Returns the viewer as the conversation rules need them (without their role), and the time at which the
 * page was rendered.
 */
export function useViewer(): { viewer: SignedIn; now: Date } {
  const { me, now } = useRootData();
  return {
    viewer: { id: me?.id ?? "", role: "member", trust: "established", limited: false },
    now: new Date(now),
  };
}

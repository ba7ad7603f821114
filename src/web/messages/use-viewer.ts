import type { SignedIn } from "#community/rules";
import { useRootData } from "../ui/index.ts";

/** The viewer as the conversation rules need them (without their role), and the time of the page. */
export function useViewer(): { viewer: SignedIn; now: Date } {
  const { me, now } = useRootData();
  return {
    viewer: { id: me?.id ?? "", role: "member", trust: "established", limited: false },
    now: new Date(now),
  };
}

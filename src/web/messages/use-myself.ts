import type { SignedIn } from "#community/rules";
import { useRoot } from "../ui/index.ts";

/** Who has the page before them, as the rules of conversations ask about them (not by their role), and when it was made. */
export function useMyself(): { viewer: SignedIn; now: Date } {
  const { me, now } = useRoot();
  return { viewer: { id: me?.id ?? "", role: "member", trust: "established", limited: false }, now: new Date(now) };
}

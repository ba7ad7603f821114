import type { Publisher } from "#backend/channels";
import { programRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Call } from "../route.ts";

/** The publisher of a call's messages. */
export const publisherIn = ({ caller: { key, viewer } }: Pick<Call, "caller">): Publisher => ({
  personId: viewer.id,
  trusted: key === "server" || viewer.role === "admin",
});

/** @throws `not-allowed` for callers who may not publish */
export async function assertMayPublish({ house, caller: { key, viewer } }: Pick<Call, "house" | "caller">): Promise<void> {
  const { whoPublishes } = await house.settings.get();
  if (!programRules.publish(viewer, whoPublishes, key === "server"))
    throw new Refusal("not-allowed", "You may listen on the channels of this community, and say nothing there.");
}

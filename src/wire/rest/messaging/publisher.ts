import type { Publisher } from "#backend/channels";
import { programRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Call } from "../route.ts";

/** In whose name a call publishes. */
export const publisherIn = ({ caller: { key, viewer } }: Pick<Call, "caller">): Publisher => ({
  personId: viewer.id,
  trusted: key === "server" || viewer.role === "admin",
});

/** Throws `not-allowed` for who may say nothing on channels. */
export async function assertMayPublish({ house, caller: { key, viewer } }: Pick<Call, "house" | "caller">): Promise<void> {
  const { whoPublishes } = await house.settings.get();
  if (!programRules.publish(viewer, whoPublishes, key === "server"))
    throw new Refusal("not-allowed", "You may listen on the channels of this community, and say nothing there.");
}

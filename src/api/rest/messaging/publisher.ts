import type { Publisher } from "#baas/messaging";
import { apiClientRules } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Permission } from "../endpoint.ts";
import type { Call } from "../rest-route.ts";

/** The caller of a call as a publisher. */
export const publisherOf = ({ caller: { key, viewer } }: Pick<Call, "caller">): Publisher => ({
  personId: viewer.id,
  trusted: key === "server" || viewer.role === "admin",
});

/**
 * Refuses callers who may not publish.
 * @throws `not-allowed`
 */
export async function assertMayPublish({
  app,
  caller: { key, viewer },
}: Pick<Call, "app" | "caller">): Promise<void> {
  const { whoPublishes } = await app.settings.get();
  if (!apiClientRules.publish(viewer, whoPublishes, key === "server"))
    throw new Refusal("not-allowed", "You may listen to this community's channels, but not publish to them.");
}

/** Permission to publish, which every caller has by default. */
export const PUBLISH_PERMISSION: Permission = {
  name: "callers whom the settings let publish",
  caller: "guest",
  check: assertMayPublish,
};

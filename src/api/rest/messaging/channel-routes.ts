import { deleteChannel } from "#baas/messaging";
import type { Route } from "../rest-route.ts";
import { assertMayPublish, publisherOf } from "./publisher.ts";

/** Channels; they are created by publishing. */
export const channelRoutes: Route[] = [
  {
    method: "DELETE",
    path: "/messaging/channels/:channel",
    async handle(call) {
      await assertMayPublish(call);
      await deleteChannel(call.app.channels, publisherOf(call), call.params["channel"]!);
      return { deleted: true };
    },
  },
];

import { deleteChannel } from "#backend/channels";
import type { Route } from "../route.ts";
import { assertMayPublish, publisherIn } from "./publisher.ts";

/** Channels; they are created by publishing. */
export const channelRoutes: Route[] = [
  {
    method: "DELETE",
    path: "/messaging/channels/:channel",
    async handle(call) {
      await assertMayPublish(call);
      await deleteChannel(call.house.channels, publisherIn(call), call.params["channel"]!);
      return { deleted: true };
    },
  },
];

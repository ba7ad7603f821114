import { deleteChannel } from "#baas/messaging";
import { defineEndpoint } from "../endpoint.ts";
import { DeletionResult } from "../shapes.ts";
import { PUBLISH_PERMISSION, publisherOf } from "./publisher.ts";

/** Endpoints for channels. A channel is created when the first message is published on it. */
export const channelEndpoints = [
  defineEndpoint({
    method: "DELETE",
    path: "/messaging/channels/:channel",
    summary: "Deletes a channel and cancels its scheduled messages; 409 if others scheduled them.",
    permission: PUBLISH_PERMISSION,
    response: DeletionResult,
    example: { params: { channel: "garden" } },
    async handle(call) {
      await deleteChannel(call.app.channels, publisherOf(call), call.params.channel);
      return { deleted: true };
    },
  }),
];

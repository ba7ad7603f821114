import { cancelMessage, messageStatus, publish, Publishing } from "#backend/channels";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { assertMayPublish, publisherIn } from "./publisher.ts";

/** Bytes of a body: the largest message, with what spaces and escapes add. */
const LARGEST = 400_000;

/** Messages on channels: saying them now or later, what became of one, taking one back. */
export const publishingRoutes: Route[] = [
  {
    method: "POST",
    path: "/messaging/:channel",
    most: LARGEST,
    async handle(call) {
      await assertMayPublish(call);
      return publish(call.house.channels, publisherIn(call), call.params["channel"]!, parsed(Publishing, call.body));
    },
  },
  { method: "GET", path: "/messaging/:messageId", handle: ({ house, params }) => messageStatus(house.channels, params["messageId"]!) },
  {
    method: "DELETE",
    path: "/messaging/:messageId",
    handle: (call) => cancelMessage(call.house.channels, publisherIn(call), call.params["messageId"]!),
  },
];

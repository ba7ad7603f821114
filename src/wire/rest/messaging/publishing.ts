import { cancelMessage, messageStatus, publish, Publishing } from "#backend/channels";
import { cancelMail, mailStatus } from "#backend/mails";
import { senderIn } from "../mails/sending.ts";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { assertMayPublish, publisherIn } from "./publisher.ts";

/** Bytes of a body: the largest message, with what spaces and escapes add. */
const LARGEST = 400_000;

/** Messages on channels: saying them now or later; and what became of one, or of a mail, and taking it back. */
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
  {
    method: "GET",
    path: "/messaging/:messageId",
    handle: async ({ house, params: { messageId = "" } }) =>
      (await mailStatus(house.mails, messageId, house.now())) ?? messageStatus(house.channels, messageId),
  },
  {
    method: "DELETE",
    path: "/messaging/:messageId",
    handle: async (call) => {
      const { house, params } = call;
      const messageId = params["messageId"]!;
      return (await cancelMail(house.mails, senderIn(call), messageId)) ?? cancelMessage(house.channels, publisherIn(call), messageId);
    },
  },
];

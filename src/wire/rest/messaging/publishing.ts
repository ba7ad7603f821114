import { cancelMessage, type MessageInfo, messageStatus, publish, Publishing } from "#backend/channels";
import { type PushOutcome, pushOutcome } from "#backend/devices";
import { cancelMail, mailStatus } from "#backend/mails";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import { senderIn } from "../mails/sending.ts";
import type { RestHouse, Route } from "../route.ts";
import { assertMayPublish, publisherIn } from "./publisher.ts";

/** Maximum bytes of a body: the largest message, with whitespace and escapes. */
const LARGEST = 400_000;

/** Publishing now or later; status of a message or email, and its cancellation. */
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
  { method: "GET", path: "/messaging/:messageId", handle: ({ house, params }) => statusOf(house, params["messageId"]!) },
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

/**
 * Status of an email or of a message, on its channel and its devices: a push-only message has the status of
 * its devices.
 */
async function statusOf(house: RestHouse, messageId: string): Promise<MessageInfo & Partial<Pick<PushOutcome, "devices">>> {
  const { channels, devices, mails, now } = house;
  const mailed = await mailStatus(mails, messageId, now());
  if (mailed !== null) return mailed;
  const pushed = await pushOutcome(devices, messageId);
  if (pushed === null) return messageStatus(channels, messageId);
  const { status, errorMessage, alone, devices: tally } = pushed;
  const said = await messageStatus(channels, messageId).catch((error: unknown) => {
    // A template push has no channel status, and a channel keeps the status of immediate messages for one
    // day.
    if (!(error instanceof Refusal)) throw error;
    return null;
  });
  const goesOn = said !== null && (said.status === "scheduled" || said.status === "cancelled");
  const fits = alone && !goesOn ? status : (said?.status ?? "published");
  return { messageId, status: fits, errorMessage: said?.errorMessage ?? errorMessage, devices: tally };
}

export { parseTargetSystems } from "./push-targets.ts";
export {
  assertChannel,
  deleteChannel,
  isCommunityChannel,
  listChannels,
  ensureChannel,
  createMessagingContext,
  purgeChannels,
} from "./channels.ts";
export type { ChannelRow, Messaging, Publisher, PushMessage } from "./channels.ts";
export { ScheduledPublisher } from "./scheduled-publisher.ts";
export { createPlainMessage, PublishInput } from "./channel-message.ts";
export type { ChannelMessage, PublishedMessage } from "./channel-message.ts";
export { isSentToListeners } from "./device-messages.ts";
export { publish } from "./publish.ts";
export { getDueMessage, listScheduledMessages, publishDueBatch } from "./message-schedule.ts";
export type { ScheduledMessage } from "./message-schedule.ts";
export { cancelMessage, getMessageStatus, cancelScheduledMessages } from "./message-status.ts";
export type { MessageInfo } from "./message-status.ts";

import { afterEach, beforeEach } from "vitest";
import { type ChannelMessage, publish, PublishInput } from "#baas/messaging";
import type { Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { MessageQueue, type TestConnection, startRealtimeServer } from "./sdk-connection.ts";

/** Setup for the pub/sub tests: people, and SDK clients that listen to a channel. */
export const database = await testDatabase();
export const { inTransaction: within } = database;
export let sdkConnection: TestConnection;
export let people: TestUsers;
beforeEach(async () => {
  sdkConnection = await startRealtimeServer(database);
  people = await createTestUsers(database);
});
afterEach(() => sdkConnection.close());

type ChannelCommand = { type: string; data: unknown; connectionId: string; userId: string | null };
type PresenceUpdate = { status: string; data: { connectionId: string; userId: string | null }[] };
/** Type of the SDK's channel, because the SDK's own types are incomplete. */
type SdkChannel = {
  addMessageListener: {
    (listener: (it: ChannelMessage) => void): void;
    (selector: string, listener: (it: ChannelMessage) => void): void;
  };
  addCommandListener: (listener: (it: ChannelCommand) => void) => void;
  addUserStatusListener: (listener: (it: PresenceUpdate) => void) => void;
  send: (type: string, data?: unknown) => Promise<unknown>;
  leave: () => void;
  join: () => void;
};

/**
 * Connects the SDK for a person and listens to everything on a channel; resolves after the presence list has
 * arrived.
 */
export async function connectListener(viewer: Viewer, name = "garden", selector?: string) {
  const app = await sdkConnection.sdk(viewer);
  const channel = app.Messaging.subscribe(name) as unknown as SdkChannel;
  const received = {
    messages: new MessageQueue<ChannelMessage>(),
    commands: new MessageQueue<ChannelCommand>(),
    people: new MessageQueue<PresenceUpdate>(),
  };
  if (selector === undefined) channel.addMessageListener(received.messages.take);
  else channel.addMessageListener(selector, received.messages.take);
  channel.addCommandListener(received.commands.take);
  channel.addUserStatusListener(received.people.take);
  const present = await received.people.next();
  const send = (type: string, data?: unknown) => channel.send(type, data);
  return {
    app,
    channel,
    present,
    send,
    ...received,
    id: await (app.RT as unknown as { getConnectionId: () => Promise<string> }).getConnectionId(),
  };
}
export const publishToChannel = (message: unknown, options: object = {}, name = "garden") =>
  publish(
    sdkConnection.channels,
    { personId: null, trusted: true },
    name,
    PublishInput.parse({ message, ...options }),
  );
export const userIdsOf = (status: PresenceUpdate) => status.data.map(({ userId }) => userId).toSorted();

import { afterEach, beforeEach } from "vitest";
import type { Viewer } from "#community/rules";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import { MessageQueue, type TestConnection, startRealtimeServer } from "./sdk-connection.ts";
import type { SharedObjectEvent } from "../../../src/api/realtime/shared-objects/index.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export let sdkConnections: TestConnection[];
export let sdkConnection: TestConnection;
export let people: TestUsers;

/** Opens `n` processes on one database that exchange events as over the bus. */
async function openProcesses(n: number): Promise<TestConnection[]> {
  const all: TestConnection[] = [];
  for (let i = 0; i < n; i++)
    all.push(
      await startRealtimeServer(database, {
        shareWithOthers: (objectEvent) =>
          all.forEach(
            (other, j) =>
              j !== i &&
              setImmediate(() =>
                other.realtime.share(JSON.parse(JSON.stringify(objectEvent)) as SharedObjectEvent),
              ),
          ),
      }),
    );
  return all;
}
beforeEach(async () => {
  sdkConnections = await openProcesses(2);
  sdkConnection = sdkConnections[0]!;
  people = await createTestUsers(database);
});
afterEach(async () => {
  for (const it of sdkConnections) await it.close();
});

export type ObjectChange = { key: string; data: unknown; connectionId: string; userId: string | null };
type PresenceUpdate = { status: string; data: { connectionId: string; userId: string | null }[] };
/** The client's shared object, for which the client has no types. */
export type SharedObject = {
  get: (key?: string) => Promise<unknown>;
  set: (key: string, data: unknown) => Promise<unknown>;
  clear: () => Promise<unknown>;
  send: (type: string, data?: unknown) => Promise<unknown>;
  invoke: (method: string, ...args: unknown[]) => Promise<unknown>;
  invokeOn: (method: string, targets: unknown, ...args: unknown[]) => Promise<unknown>;
  setInvocationTarget: (target: object) => void;
  addConnectListener: (listener: () => void, failed?: (error: unknown) => void) => SharedObject;
  addChangesListener: (listener: (it: ObjectChange) => void, failed?: (error: unknown) => void) => void;
  removeChangesListeners: (listener?: (it: ObjectChange) => void) => void;
  addClearListener: (listener: (it: object) => void) => void;
  removeClearListeners: (listener?: (it: object) => void) => void;
  addCommandListener: (listener: (it: object) => void) => SharedObject;
  removeCommandListener: (listener: (it: object) => void) => SharedObject;
  addUserStatusListener: (listener: (it: PresenceUpdate) => void) => SharedObject;
  removeAllListeners: () => SharedObject;
  connect: () => void;
  disconnect: () => void;
  isConnected: () => boolean;
};
type RealtimeClient = {
  getConnectionId: () => Promise<string>;
  disconnect: () => void;
  methods: { setUserToken: (it: object) => Promise<unknown> };
};

/** Connects a shared object for a person in one of the processes, and collects everything received. */
export async function connectSharedObject(
  viewer: Viewer,
  { at = sdkConnection, name = "canvas", key }: { at?: TestConnection; name?: string; key?: string } = {},
) {
  const app = await at.sdk(viewer, key);
  const object = (
    app as unknown as { SharedObject: { connect: (name: string) => SharedObject } }
  ).SharedObject.connect(name);
  const received = {
    changes: new MessageQueue<ObjectChange>(),
    cleared: new MessageQueue(),
    commands: new MessageQueue(),
    people: new MessageQueue<PresenceUpdate>(),
    calls: new MessageQueue(),
  };
  await new Promise<void>((done, failed) => object.addConnectListener(done, failed));
  object.addChangesListener(received.changes.take);
  object.addClearListener(received.cleared.take as (it: object) => void);
  object.addCommandListener(received.commands.take as (it: object) => void);
  object.setInvocationTarget({ draw: (...args: unknown[]) => received.calls.take({ args }) });
  object.addUserStatusListener(received.people.take);
  await received.people.next();
  const rt = app.RT as unknown as RealtimeClient;
  return { app, object, received, rt, me: { connectionId: await rt.getConnectionId(), userId: viewer.id } };
}
export const sharerAsAuthor = ({ me }: { me: { connectionId: string; userId: string | null } }) => me;

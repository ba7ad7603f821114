import { afterEach, beforeEach } from "vitest";
import type { Viewer } from "#community/rules";
import { cast, type Cast } from "../../../../test/cast.ts";
import { testDatabase } from "../../../../test/setup/database.ts";
import { Heard, type Line, openLine } from "../line.fixture.ts";
import type { Deed } from "./index.ts";

export const database = await testDatabase();
export const { inTransaction: within } = database;
export let lines: Line[];
export let line: Line;
export let people: Cast;

/** Processes on one database that exchange events as over the bus. */
async function processes(n: number): Promise<Line[]> {
  const all: Line[] = [];
  for (let i = 0; i < n; i++)
    all.push(
      await openLine(database, {
        shareWithOthers: (deed) =>
          all.forEach((other, j) => j !== i && setImmediate(() => other.realtime.share(JSON.parse(JSON.stringify(deed)) as Deed))),
      }),
    );
  return all;
}
beforeEach(async () => {
  lines = await processes(2);
  line = lines[0]!;
  people = await cast(database);
});
afterEach(async () => {
  for (const it of lines) await it.close();
});

export type Change = { key: string; data: unknown; connectionId: string; userId: string | null };
type Status = { status: string; data: { connectionId: string; userId: string | null }[] };
/** The client's shared object, for which it has no types. */
export type SharedObject = {
  get: (key?: string) => Promise<unknown>;
  set: (key: string, data: unknown) => Promise<unknown>;
  clear: () => Promise<unknown>;
  send: (type: string, data?: unknown) => Promise<unknown>;
  invoke: (method: string, ...args: unknown[]) => Promise<unknown>;
  invokeOn: (method: string, targets: unknown, ...args: unknown[]) => Promise<unknown>;
  setInvocationTarget: (target: object) => void;
  addConnectListener: (told: () => void, failed?: (error: unknown) => void) => SharedObject;
  addChangesListener: (told: (it: Change) => void, failed?: (error: unknown) => void) => void;
  removeChangesListeners: (told?: (it: Change) => void) => void;
  addClearListener: (told: (it: object) => void) => void;
  removeClearListeners: (told?: (it: object) => void) => void;
  addCommandListener: (told: (it: object) => void) => SharedObject;
  removeCommandListener: (told: (it: object) => void) => SharedObject;
  addUserStatusListener: (told: (it: Status) => void) => SharedObject;
  removeAllListeners: () => SharedObject;
  connect: () => void;
  disconnect: () => void;
  isConnected: () => boolean;
};
type Rt = { getConnectionId: () => Promise<string>; disconnect: () => void; methods: { setUserToken: (it: object) => Promise<unknown> } };

/** A person with a shared object in one of the processes, and everything received. */
export async function sharer(viewer: Viewer, { at = line, name = "canvas", key }: { at?: Line; name?: string; key?: string } = {}) {
  const app = await at.sdk(viewer, key);
  const object = (app as unknown as { SharedObject: { connect: (name: string) => SharedObject } }).SharedObject.connect(name);
  const heard = {
    changes: new Heard<Change>(),
    cleared: new Heard(),
    commands: new Heard(),
    people: new Heard<Status>(),
    calls: new Heard(),
  };
  await new Promise<void>((done, failed) => object.addConnectListener(done, failed));
  object.addChangesListener(heard.changes.take);
  object.addClearListener(heard.cleared.take as (it: object) => void);
  object.addCommandListener(heard.commands.take as (it: object) => void);
  object.setInvocationTarget({ draw: (...args: unknown[]) => heard.calls.take({ args }) });
  object.addUserStatusListener(heard.people.take);
  await heard.people.next();
  const rt = app.RT as unknown as Rt;
  return { app, object, heard, rt, me: { connectionId: await rt.getConnectionId(), userId: viewer.id } };
}
export const by = ({ me }: { me: { connectionId: string; userId: string | null } }) => me;

import type Backendless from "backendless";
import { createMessagingContext, type PublishedMessage } from "#baas/messaging";
import { type Devices, createDeviceRegistry, queueDevicePush, deliverPush } from "#baas/devices";
import { many, run, sql } from "#platform/database";
import { createLog } from "#platform/log";
import type { WebPushClient as WebPush } from "#platform/web-push";
import { startTestApns, startTestFcm } from "../push-services.ts";
import type { TestDatabase } from "../setup/test-database.ts";
import { startTestApi } from "./rest-server.ts";

/** Starts devices with every push provider configured, connected to stand-ins on this machine. */
export async function startTestPhones(database: TestDatabase) {
  const { db, clock } = database;
  const [apple, firebase] = [await startTestApns(() => clock.at), await startTestFcm(() => clock.at)];
  const pushed: Parameters<WebPush["send"]>[] = [];
  const browsers = { pushed, answer: (): Promise<"sent" | "gone"> => Promise.resolve("sent") };
  const web: WebPush = { send: (...given) => (pushed.push(given), browsers.answer()) };
  const providers = { apns: apple.way(), fcm: firebase.way(), web };
  const devices = createDeviceRegistry(database, providers, createLog("silent"));
  /** Claims the due jobs, as a worker does. */
  async function dueJobs() {
    const jobs = await many(
      db,
      sql<{ id: string; pushId: string }>`
        select j.id, j.payload ->> 'pushId' as "pushId" from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'push-devices' and j.run_at <= ${clock.at} order by j.id`,
    );
    await run(
      db,
      sql`delete from graphile_worker._private_jobs where id = any(${jobs.map(({ id }) => id)}::bigint[])`,
    );
    return jobs.map(({ pushId }) => pushId);
  }
  return {
    apple,
    firebase,
    browsers,
    devices,
    /** Runs jobs until none is due; `others` act as other processes. Returns the number of jobs. */
    async work(...others: Devices[]) {
      let done = 0;
      for (let jobs = await dueJobs(); jobs.length > 0; jobs = await dueJobs()) {
        done += jobs.length;
        await Promise.all(
          [devices, ...others].flatMap((app) => jobs.map((pushId) => deliverPush(app, pushId))),
        );
      }
      return done;
    },
    forget() {
      apple.forget();
      firebase.forget();
      pushed.splice(0);
      browsers.answer = () => Promise.resolve("sent");
    },
    async close() {
      providers.apns.close();
      providers.fcm.close();
      await apple.close();
      await firebase.close();
    },
  };
}

export const ENDPOINT = "https://push.example/abc";
export const SUBSCRIPTION = JSON.stringify({
  endpoint: ENDPOINT,
  expirationTime: null,
  keys: {
    p256dh: Buffer.alloc(65, 4).toString("base64url"),
    auth: Buffer.alloc(16, 1).toString("base64url"),
  },
});

type Sdk = typeof Backendless;

type DeviceOptions = { platform?: string; token?: string; channels?: string[] | null; expiration?: unknown };

/** Registers a device as an app does. */
export async function registerTestDevice(
  sdk: Sdk,
  uuid: string,
  { platform = "ios", token = `token-${uuid}`, channels = ["news"], expiration }: DeviceOptions = {},
) {
  sdk.setupDevice({ uuid, platform, version: "17.4" });
  return (await sdk.Messaging.registerDevice(token, channels as never, expiration as never)) as {
    registrationId: string;
  };
}

export type PushInfo = {
  messageId: string;
  status: string;
  errorMessage: string | null;
  devices?: Record<string, number>;
};

/** Starts an API through which apps push to devices of all kinds. */
export async function startPushApi(database: TestDatabase) {
  const { db, clock } = database;
  const phones = await startTestPhones(database);
  const testApi = await startTestApi(database, {
    devices: phones.devices,
    channels: createMessagingContext(database, queueDevicePush),
  });
  const sdk = testApi.sdk();
  const publishedMessages: PublishedMessage[] = [];
  testApi.app.channels.listeners.add((it) => publishedMessages.push(it));
  return {
    phones,
    providers: phones.devices.providers,
    testApi,
    sdk,
    publishedMessages,
    publish: async (
      delivery: object,
      headers: Record<string, unknown> = {},
      message: unknown = "Frost tonight",
      channel = "news",
    ) =>
      (await sdk.Messaging.publish(
        channel,
        message as never,
        { headers } as never,
        delivery as never,
      )) as PushInfo,
    status: async ({ messageId }: PushInfo) =>
      (await sdk.Messaging.getMessageStatus(messageId)) as unknown as PushInfo,
    apple: (...ids: string[]) => Promise.all(ids.map((id) => registerTestDevice(sdk, id))),
    /** Returns the tokens of phones that received a push, one entry per push. */
    pushedTokens: () => [...phones.apple.got, ...phones.firebase.got].map(({ token }) => token).toSorted(),
    ids: async () =>
      (await many(db, sql<{ id: string }>`select device_id as id from devices order by 1`)).map(
        ({ id }) => id,
      ),
    /** Registers `count` Apple devices. */
    crowd: (count: number) =>
      run(
        db,
        sql`with made as (
          insert into devices (id, device_id, os, way, os_version, token, token_hash, created_at, renewed_at)
          select gen_random_uuid(), 'd' || n, 'IOS', 'apns', '', 't' || n, sha256(('t' || n)::bytea),
            ${clock.at}, ${clock.at} from generate_series(1, ${count}::int) n
          returning id)
        insert into device_channels select 'news', id from made`,
      ),
    /** Removes data that earlier tests have left. */
    async forget() {
      publishedMessages.splice(0);
      testApi.forget();
      phones.forget();
      await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
      testApi.app.limits.take = async () => {};
    },
    async close() {
      await testApi.close();
      await phones.close();
    },
  };
}

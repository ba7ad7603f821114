import { assertShareable, clearSharedObject, readSharedObject, setSharedValue } from "#baas/shared-objects";
import { isId } from "#platform/ids";
import type { Caller } from "../realtime-caller.ts";
import { parsePacket } from "../parse-packet.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { callerAsAuthor } from "./object-presence.ts";
import type { SharedObjectEvent } from "./shared-object-events.ts";
import { visibleAuthors } from "./author-view.ts";
import {
  SharedCommandPacket,
  GetPacket,
  SharedObjectOptions,
  InvokePacket,
  SetPacket as SetOptions,
} from "./shared-object-packets.ts";
import { queueObjectChange } from "./object-queue.ts";
import { assertMayUseSharedObjects } from "./shared-object-subscription.ts";
import { deliverSharedObjectEvent } from "./shared-object-delivery.ts";

/**
 * Maximum calls per minute and session, or per address without a session. An app that shares the pointer
 * position sends thirty a second.
 */
const CALL_LIMIT = { points: 3_000, seconds: 60 };
/** Cost of reading a whole object, in calls. */
const WHOLE_OBJECT_COST = 5;

type SharedObjectMethod = (
  app: Pick<RealtimeContext, "db" | "limits" | "settings" | "sharedObjects" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  options: unknown,
) => Promise<unknown>;

const METHODS: Record<string, SharedObjectMethod> = {
  async RSO_GET(app, _room, caller, options) {
    const { name, key } = parsePacket(GetPacket, options);
    await countMethodCall(app, caller, key === undefined ? WHOLE_OBJECT_COST : 1);
    return readSharedObject(app.sharedObjects, name, key);
  },
  async RSO_SET(app, subscriptions, caller, options) {
    const { name, key, data = null } = parsePacket(SetOptions, options);
    await countMethodCall(app, caller);
    await queueObjectChange(subscriptions.objectQueue, name, async () => {
      const version = await setSharedValue(app.sharedObjects, name, key, data);
      await publishObjectEvent(app, subscriptions, {
        what: "set",
        name,
        key,
        data,
        version,
        by: callerAsAuthor(caller),
      });
    });
  },
  async RSO_CLEAR(app, subscriptions, caller, options) {
    const { name } = parsePacket(SharedObjectOptions, options);
    await countMethodCall(app, caller);
    await queueObjectChange(subscriptions.objectQueue, name, async () => {
      const version = await clearSharedObject(app.sharedObjects, name);
      await publishObjectEvent(app, subscriptions, {
        what: "clear",
        name,
        version,
        by: callerAsAuthor(caller),
      });
    });
  },
  async RSO_COMMAND(app, subscriptions, caller, options) {
    const { name, type, data = null } = parsePacket(SharedCommandPacket, options);
    assertShareable(data);
    await countMethodCall(app, caller);
    await queueObjectChange(subscriptions.objectQueue, name, () =>
      publishObjectEvent(app, subscriptions, {
        what: "command",
        name,
        type,
        data,
        by: callerAsAuthor(caller),
      }),
    );
  },
  async RSO_INVOKE(app, subscriptions, caller, options) {
    const { name, method, targets, args } = parsePacket(InvokePacket, options);
    assertShareable(args);
    await countMethodCall(app, caller);
    const targetCallers = targets ? await visibleTargets(app, caller, targets) : null;
    const objectEvent: SharedObjectEvent = {
      what: "invoke",
      name,
      method,
      args: args ?? [],
      targets: targetCallers,
      by: callerAsAuthor(caller),
    };
    await queueObjectChange(subscriptions.objectQueue, name, () =>
      publishObjectEvent(app, subscriptions, objectEvent),
    );
  },
};

export const isSharedObjectMethod = (name: string): boolean => Object.hasOwn(METHODS, name);

/**
 * Runs a shared-object method.
 * @throws `invalid`, `not-signed-in`, `too-large`, `too-many`
 */
export async function callSharedObjectMethod(
  app: Pick<RealtimeContext, "db" | "settings" | "sharedObjects" | "limits" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  name: string,
  options: unknown,
): Promise<unknown> {
  await assertMayUseSharedObjects(app, caller);
  return METHODS[name]!(app, subscriptions, caller, options);
}

async function countMethodCall(
  { limits }: Pick<RealtimeContext, "limits">,
  { withServerKey, sessionId, address }: Caller,
  cost = 1,
) {
  if (!withServerKey) await limits.take("shared-objects", CALL_LIMIT, sessionId ?? address, cost);
}

/** Publishes an event, in this process first and then in the others. */
async function publishObjectEvent(
  app: Pick<RealtimeContext, "db" | "settings" | "sharedObjects" | "shareWithOthers">,
  subscriptions: SubscriptionRegistry,
  objectEvent: SharedObjectEvent,
) {
  app.shareWithOthers(objectEvent);
  await deliverSharedObjectEvent(app, subscriptions, objectEvent);
}

/** Removes targets whose presence the caller may not see. */
async function visibleTargets(app: Pick<RealtimeContext, "db">, caller: Caller, targets: (string | null)[]) {
  const people = targets
    .filter((it) => it !== null && isId(it))
    .map((userId) => ({ connectionId: "", userId }));
  const known = new Set((await visibleAuthors(app, caller, people)).map(({ userId }) => userId));
  return targets.filter((it) => it === null || !isId(it) || known.has(it));
}

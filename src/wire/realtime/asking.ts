import { followersOf, NOUNS, type Noun } from "#community/published";
import { isSignedIn } from "#community/rules";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import type { Caller, Following, Listening, Place, Subscription } from "./caller.ts";
import { arrive, greet } from "./channels.ts";
import { keyFor } from "./filing.ts";
import { InChannel, ObjectsChanges } from "./packets.ts";
import type { RealtimeHouse, Room } from "./room.ts";
import { equalities, parseWhere } from "./where.ts";

/** Of one socket. A page has about fifteen. */
const MOST_SUBSCRIPTIONS = 200;
const NO_SUCH_TABLE = 1009;

const SIDES: Record<string, Listening["side"]> = {
  PUB_SUB_CONNECT: "connect",
  PUB_SUB_MESSAGES: "messages",
  PUB_SUB_COMMANDS: "commands",
  PUB_SUB_USERS: "users",
};

/** A table that is not there, in the words that clients know. */
export class NoSuchTable extends Refusal {
  readonly code = NO_SUCH_TABLE;
  constructor(name: string) {
    super(
      "not-found",
      `Table not found by name 'Table not found by name '${name}'. Make sure the client class referenced in the API call has the same literal name as the table in Backendless console'`,
    );
  }
}

/** Begins a subscription. Throws `invalid`, `not-found` for what the caller may not know of, `too-many`. */
export async function subscribe(house: RealtimeHouse, room: Room, caller: Caller, asked: { id: string; name: string; options?: unknown }) {
  if (caller.subscriptions.size >= MOST_SUBSCRIPTIONS && !caller.subscriptions.has(asked.id))
    throw new Refusal("too-many", `One connection can have ${MOST_SUBSCRIPTIONS} subscriptions.`);
  const subscription = read(caller, asked);
  room.close(caller, subscription.id);
  // Open before it is allowed: what happens meanwhile is not missed, and is asked about again before it is told.
  room.open(caller, subscription);
  for (const place of subscription.scopes) {
    const { groupId, may } = await lookedUp(house, caller, place);
    place.groupId = groupId;
    if (!may(caller.viewer.id)) {
      room.close(caller, subscription.id);
      throw notFound();
    }
  }
  if (caller.subscriptions.get(subscription.id) !== subscription) return;
  caller.send("SUB_READY", { id: subscription.id });
  if (subscription.kind === "channel") await enter(house, room, caller, subscription);
}

/** A page asks for a dozen things of one place at once: the place is looked up once for all of them. */
function lookedUp(house: RealtimeHouse, caller: Caller, place: Place): ReturnType<typeof followersOf> {
  const key = `${place.kind}/${place.id}/${caller.viewer.id}`;
  const underWay = caller.asking.get(key);
  if (underWay) return underWay;
  const answer = followersOf(house.db, place, caller.viewer.id === null ? [] : [caller.viewer.id]).finally(() => caller.asking.delete(key));
  caller.asking.set(key, answer);
  return answer;
}

async function enter(house: RealtimeHouse, room: Room, caller: Caller, { channel, side, id }: Listening) {
  if (side === "connect") await arrive(house, room, caller, channel);
  if (side === "users") await greet(house, room, caller, channel, id);
}

function read(caller: Caller, { id, name, options }: { id: string; name: string; options?: unknown }): Subscription {
  if (name === "OBJECTS_CHANGES") return readFollowing(id, options);
  const side = SIDES[name];
  if (!side) throw new Refusal("invalid", `There is nothing to follow under the name ${name} here.`);
  const { channel } = parsed(InChannel, options);
  return { kind: "channel", id, channel, side, scopes: placesOfChannel(caller, channel) };
}

function readFollowing(id: string, options: unknown): Following {
  const { tableName, event, whereClause } = parsed(ObjectsChanges, options);
  if (!Object.hasOwn(NOUNS, tableName)) throw new NoSuchTable(tableName);
  const table = tableName as Noun;
  const where = whereClause?.trim() ? parseWhere(whereClause, NOUNS[table]) : null;
  return { kind: "records", id, table, event, where, key: keyFor(table, event, where), scopes: placesIn(table, equalities(where)) };
}

/** The places that a condition names. Who may not follow one of them is told so at once, not left to wait. */
function placesIn(table: Noun, settled: Map<string, string>): Place[] {
  const place = (kind: Place["kind"], id: string | undefined): Place[] => (id === undefined ? [] : [{ kind, id, groupId: null }]);
  if (table === "Groups") return place("face", settled.get("objectId"));
  if (table === "Messages") return place("conversation", settled.get("conversationId"));
  const discussion = table === "Discussions" ? settled.get("objectId") : settled.get("discussionId");
  return [...place("discussion", discussion), ...place("group", settled.get("groupId"))];
}

const CHANNEL = /^(discussion|conversation|user):(.{36})$/;

/** There are three kinds of channel: of a discussion, for its signed-in readers, of a conversation, and a person's own. */
function placesOfChannel({ viewer }: Caller, channel: string): Place[] {
  const [, kind, id = ""] = CHANNEL.exec(channel) ?? [];
  if (!isSignedIn(viewer) || !isId(id) || (kind === "user" && id !== viewer.id)) throw notFound();
  return kind === "discussion" || kind === "conversation" ? [{ kind, id, groupId: null }] : [];
}

/** What a packet brings, or the refusal that says what is wrong with it. */
export function parsed<T>(
  schema: {
    safeParse: (
      it: unknown,
    ) => { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  it: unknown,
): T {
  const read = schema.safeParse(it);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Refusal("invalid", `${issue?.path.join(".") || "The options"}: ${issue?.message ?? "cannot be read"}`);
}

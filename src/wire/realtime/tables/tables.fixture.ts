import { addRelation, createTable, setConfig, type Tables } from "#backend/tables";
import type { Viewer } from "#community/rules";
import { answers, connected, Heard, type Line } from "../line.fixture.ts";

export type Listeners = Record<string, (...args: unknown[]) => void>;
export type Refused = { code: number; message: string };
export type Sdk = Awaited<ReturnType<Line["sdk"]>>;

/** Tables of people with orders and one friend each. */
export async function furnish(tables: Tables) {
  await setConfig(tables, { dynamicSchema: false, defaultAccess: "members" });
  const columns = [
    { name: "name", dataType: "STRING" },
    { name: "age", dataType: "INT" },
    { name: "born", dataType: "DATETIME" },
    { name: "active", dataType: "BOOLEAN" },
    { name: "profile", dataType: "JSON" },
    { name: "home", dataType: "POINT" },
  ];
  await createTable(tables, { name: "Person", columns });
  await createTable(tables, { name: "Order", columns: [{ name: "title", dataType: "STRING" }] });
  await addRelation(tables, "Person", { name: "orders", toTable: "Order", relationshipType: "ONE_TO_MANY" });
  await addRelation(tables, "Person", { name: "friend", toTable: "Person", relationshipType: "ONE_TO_ONE" });
}

/** A round trip with the SDK: earlier subscriptions are open afterwards. */
export async function settled(app: Sdk) {
  const { methods } = app.RT as unknown as { methods: { setUserToken: (it: object) => Promise<unknown> } };
  // Calls queued before connecting run before queued subscriptions: hence a second round.
  for (let n = 0; n < 2; n++) await methods.setUserToken({ userToken: app.session?.token ?? null });
}

/** A person with the SDK that listens as `listen` says. */
export async function listening(line: Line, viewer: Viewer, listen: (rt: Listeners, hear: (as: string) => (it: unknown) => void) => void) {
  const app = await line.sdk(viewer);
  const heard = new Heard<[string, unknown]>();
  listen(app.Data.of("Person").rt() as unknown as Listeners, (as) => (it) => heard.take([as, it]));
  await settled(app);
  return { app, heard };
}

/** A bare socket and its subscriptions: an error, or the events received. */
export async function follower(line: Line, viewer: Viewer, query: Record<string, string> = {}) {
  const socket = await line.socket(viewer, query);
  await connected(socket);
  const answer = answers(socket);
  return {
    socket,
    ...answer,
    async follow(event: string, whereClause?: string, tableName = "Person") {
      const heard = answer.follow(tableName, event, whereClause);
      return { first: await heard.next(), heard, next: async () => (await heard.next()).data };
    },
    /** Resolves when everything delivered before has arrived. */
    still: () => answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next(),
  };
}

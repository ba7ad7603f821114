import { addRelation, createTable, changeDataConfig, type DataTables } from "#baas/data";
import type { Viewer } from "#community/rules";
import { collectAnswers, waitForConnect, MessageQueue, type TestConnection } from "./sdk-connection.ts";

export type SdkListeners = Record<string, (...args: unknown[]) => void>;
export type ErrorAnswer = { code: number; message: string };
export type Sdk = Awaited<ReturnType<TestConnection["sdk"]>>;

/** Creates tables of people with orders and one friend each. */
export async function createTestTables(tables: DataTables) {
  await changeDataConfig(tables, { dynamicSchema: false, defaultAccess: "members" });
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

/** Makes a round trip with the SDK: subscriptions sent before are open afterwards. */
export async function waitForRoundTrip(app: Sdk) {
  const { methods } = app.RT as unknown as { methods: { setUserToken: (it: object) => Promise<unknown> } };
  // Calls that were queued before the connection opened run before queued subscriptions, so a second round
  // is needed.
  for (let n = 0; n < 2; n++) await methods.setUserToken({ userToken: app.session?.token ?? null });
}

/** Creates the SDK for a person and calls `listen` with it. */
export async function listenWithSdk(
  line: TestConnection,
  viewer: Viewer,
  listen: (rt: SdkListeners, recordAs: (as: string) => (it: unknown) => void) => void,
) {
  const app = await line.sdk(viewer);
  const received = new MessageQueue<[string, unknown]>();
  listen(app.Data.of("Person").rt() as unknown as SdkListeners, (as) => (it) => received.take([as, it]));
  await waitForRoundTrip(app);
  return { app, received };
}

/** Connects a socket without the SDK, with subscriptions. Each returns an error or collects its events. */
export async function connectTableFollower(
  line: TestConnection,
  viewer: Viewer,
  query: Record<string, string> = {},
) {
  const socket = await line.socket(viewer, query);
  await waitForConnect(socket);
  const answer = collectAnswers(socket);
  return {
    socket,
    ...answer,
    async follow(event: string, whereClause?: string, tableName = "Person") {
      const received = answer.follow(tableName, event, whereClause);
      return {
        first: await received.next(),
        received,
        next: async () => (await received.next()).data,
      };
    },
    /** Resolves when everything sent until now has arrived. */
    still: () => answer.call("SET_USER_TOKEN", { userToken: socket.session?.token ?? null }).next(),
  };
}

import { Readable } from "node:stream";
import { activateAutomation, changeAutomation, createAutomation } from "#baas/automations";
import { addRelation, createTable, upsertObject } from "#baas/data";
import { registerDevice, savePushTemplate } from "#baas/devices";
import { createEmailTemplate } from "#baas/email";
import { writeFile } from "#baas/files";
import { addScored, addToSet, appendItems, createHive, writeMap, writeValues } from "#baas/hive";
import { publish } from "#baas/messaging";
import { createRole, signInAs } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { one, sql } from "#platform/database";
import type { TestRestApi } from "./rest-server.ts";

/**
 * Placeholder id in the examples. A setup returns the id of the entity it created, which replaces the
 * placeholder.
 */
export const EXAMPLE_ID = "01900000-0000-7000-8000-000000000001";

/** Starts a session for the member in the examples. */
export async function signInMira({ app }: TestRestApi) {
  const { id } = await one(
    app.database.db,
    sql<{ id: string }>`select id from people where username = 'mira'`,
  );
  const origin = { address: "127.0.0.1", userAgent: "", acceptLanguage: "", trusted: true };
  return signInAs(app, OPERATOR, id, origin);
}

const hive = "garden";
const SERVER_CALLER = { personId: null, trusted: true };

async function setUpHives({ app: { hives } }: TestRestApi) {
  await createHive(hives, hive);
  await writeValues(hives, hive, { season: "spring", visits: 1 });
  await appendItems(hives, { hive, key: "to do" }, ["dig", "sow"]);
  await writeMap(hives, { hive, key: "beds" }, { north: ["beans"], planted: 3 });
  await addToSet(hives, { hive, key: "tools" }, ["spade", "rake"]);
  const scores: [number, string][] = [
    [12.5, "beans"],
    [3, "peas"],
  ];
  await addScored(hives, { hive, key: "harvest" }, scores, {
    duplicates: undefined,
    scores: undefined,
    result: undefined,
  });
}

const BLANK_TEMPLATE = { channel: null, title: "", subtitle: "", sound: "", badge: null, headers: {} };

async function setUpMessages({ app }: TestRestApi) {
  await app.database.inTransaction((tx) =>
    savePushTemplate(tx, { ...BLANK_TEMPLATE, name: "frost", os: "ALL", body: "Frost tonight, {{name}}" }),
  );
  await createEmailTemplate(app.mails, { name: "frost", subject: "Frost", text: "Hello {{name}}", html: "" });
  await registerDevice(app.devices, SERVER_CALLER, {
    deviceToken: "token-of-the-device",
    deviceId: "phone-1",
    os: "ANDROID",
    osVersion: "16",
    channels: ["garden"],
    expiration: null,
  });
  const { messageId } = await publish(app.channels, { personId: null, trusted: false }, "garden", {
    message: "Close the windows",
    headers: {},
    publisherId: null,
    subtopic: null,
    publishPolicy: null,
    pushBroadcast: null,
    pushSinglecast: null,
    publishAt: new Date(app.now().getTime() + 60_000),
    repeatEvery: 0,
    repeatExpiresAt: null,
  } as never);
  return messageId;
}

async function setUpAutomations({ app: { flows } }: TestRestApi, path: string) {
  const definition = {
    triggers: [{ kind: "call", name: "start" }],
    steps: [{ kind: "set", as: "said", value: "Hello" }],
  };
  const id = await createAutomation(flows, { name: "welcome", definition });
  await changeAutomation(flows, id, { enabled: true });
  if (!path.includes("/execution-context/")) return id;
  const starter = { personId: null, roles: [], server: true, trusted: true };
  return activateAutomation(flows, starter, { id }, {});
}

async function setUpTables(api: TestRestApi) {
  const { tables } = api.app;
  const mira = await signInMira(api);
  const caller = { userId: mira.personId, roles: ["AuthenticatedUser"], server: true, viewer: OPERATOR };
  await createTable(tables, { name: "Plants", columns: [{ name: "name", dataType: "STRING" }] });
  const columns = [
    { name: "name", dataType: "STRING" },
    { name: "area", dataType: "DOUBLE" },
  ];
  await createTable(tables, { name: "Beds", columns });
  const plants = { name: "plants", toTable: "Plants", relationshipType: "ONE_TO_MANY" };
  await addRelation(tables, "Beds", plants);
  const ownerId = mira.personId;
  await upsertObject(tables, caller, "Plants", { objectId: "plant-1", name: "Beans", ownerId });
  await upsertObject(tables, caller, "Beds", { objectId: "bed-1", name: "North", area: 12.5, ownerId });
  return (await tables.catalogue.all()).find(({ name }) => name === "Beds")!.id;
}

async function setUpUsers(api: TestRestApi) {
  await api.app.database.inTransaction((tx) => createRole(tx, OPERATOR, "Gardener"));
  await api.member("ines", { state: "unverified" });
  return (await signInMira(api)).personId;
}

async function setUpFiles({ app: { files } }: TestRestApi) {
  const caller = { userId: null, roles: [], server: true };
  const content = async () => ({ from: Readable.from([Buffer.from("beans")]), length: 5 });
  await writeFile(files, caller, ["seeds", "beans.txt"], content, "new");
}

async function setUpExtensions({ app: { tables } }: TestRestApi) {
  await createTable(tables, { name: "Guestbook", columns: [{ name: "words", dataType: "STRING" }] });
}

async function setUpManagement(api: TestRestApi) {
  await setUpTables(api);
  await setUpMessages(api);
  await setUpAutomations(api, "");
  return setUpUsers(api);
}

const SETUPS: [prefix: string, setUp: (api: TestRestApi, path: string) => Promise<string | void>][] = [
  ["/hive", setUpHives],
  ["/messaging", setUpMessages],
  ["/emailtemplate", setUpMessages],
  ["/automation", setUpAutomations],
  ["/data", setUpTables],
  ["/transaction", setUpTables],
  ["/management", setUpManagement],
  ["/users", setUpUsers],
  ["/files", setUpFiles],
  ["/services", setUpExtensions],
  ["/servercode", setUpExtensions],
];

/**
 * Creates the entities to which the examples of an endpoint refer; returns the id that replaces
 * `EXAMPLE_ID`.
 */
export async function setUpExample(api: TestRestApi, path: string): Promise<string> {
  const found = SETUPS.find(([prefix]) => path.startsWith(prefix));
  return (await found?.[1](api, path)) ?? EXAMPLE_ID;
}

import { createRequire } from "node:module";
import { io } from "socket.io-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeLogLine } from "#baas/logging";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { captureLog } from "../../../test/support/log/captured-log.ts";
import { findSecrets } from "../../../test/support/log/secrets-in-log.ts";
import {
  collectAnswers,
  APP,
  waitForConnect,
  KEY,
  type TestConnection,
  startRealtimeServer,
  SERVER_KEY,
} from "../../../test/support/realtime/sdk-connection.ts";
import { createTestTables } from "../../../test/support/realtime/table-followers.ts";
import { runRealtimeSteps, createRealtimeClient } from "../../../test/support/contract/realtime-steps.ts";
import { createSocketTicket } from "#community/accounts";

const CLIENTS_OWN = createRequire(import.meta.url)("backendless-rt-client/lib/constants.js") as Record<
  "RTSubscriptionTypes" | "RTMethodTypes",
  Record<string, string>
>;
const TOKEN = "Zq3-x0fJYp7mN_sK2vT9cWbA5dLrEu1hGiOo4yXkQzR";
const MAIL = "mira.beetz@example.org";

const database = await testDatabase();
const { log, text } = captureLog();
let line: TestConnection;
beforeAll(async () => {
  line = await startRealtimeServer(database, { log });
});
afterAll(() => line.close());

/** Options in which every requested value is a secret. */
const OPTIONS = {
  tableName: TOKEN,
  event: "created",
  whereClause: `email = '${MAIL}' and token = '${TOKEN}'`,
  relationColumnName: TOKEN,
  channel: TOKEN,
  selector: `key = '${TOKEN}'`,
  name: TOKEN,
  key: TOKEN,
  userToken: TOKEN,
  method: MAIL,
  type: TOKEN,
  data: { token: TOKEN, email: MAIL },
};

test("socket packets write no key, token or email address to the log", async () => {
  const { ada, mira } = await createTestUsers(database);
  await createTestTables(line.tables);
  const client = await line.sdk(ada);
  const walker = createRealtimeClient(client);
  await runRealtimeSteps([walker, walker], (kind, it) => writeLogLine(line.app.logs, kind, it));

  const socket = await line.socket(mira);
  await waitForConnect(socket);
  const { subscribe, call } = collectAnswers(socket);
  const { RTSubscriptionTypes, RTMethodTypes } = CLIENTS_OWN;
  // An unknown token ends subscriptions of the earlier user, so it is sent last.
  const methods = Object.values(RTMethodTypes).filter((name) => name !== "SET_USER_TOKEN");
  for (const options of [
    OPTIONS,
    { ...OPTIONS, tableName: "Users", whereClause: `email = '${MAIL}'` },
    TOKEN,
    [MAIL],
  ]) {
    for (const name of [...Object.values(RTSubscriptionTypes), TOKEN]) subscribe(name, options as object);
    for (const name of [...methods, MAIL]) call(name, options as object);
  }
  // Earlier requests have started when this one is answered.
  expect((await call("SET_USER_TOKEN", { userToken: TOKEN }).next()).error?.message).toContain(
    "no longer valid",
  );
  await waitForConnect(await line.socket(mira, { userToken: TOKEN }));
  for (const query of [{ apiKey: TOKEN }, { userToken: `${TOKEN}-` }, { userToken: MAIL }])
    await expect(waitForConnect(await line.socket(mira, query as never))).rejects.toThrow();
  await fetch(`${line.origin()}/${APP}/?EIO=4&transport=polling&apiKey=${KEY}&userToken=${TOKEN}`).then(
    (it) => it.text(),
  );

  const tokens = [client.session!.token, socket.session!.token];
  expect(findSecrets(text(), [KEY, SERVER_KEY, TOKEN, ...tokens])).toEqual([]);
  expect(text()).toContain('"msg":"answered"');
}, 60_000);

test("failed packet is logged with its location, without token or email address", async () => {
  const { log: own, text: written } = captureLog();
  const unseal = () => {
    throw new Error(`${TOKEN} of ${MAIL} is not known`);
  };
  const failing = await startRealtimeServer(database, {
    log: own,
    sealer: { ...line.app.sealer, unseal },
  });
  const { mira } = await createTestUsers(database);
  await expect(waitForConnect(await failing.socket(mira))).rejects.toThrow("Something went wrong");
  await failing.close();
  expect(findSecrets(written(), [TOKEN])).toEqual([]);
  expect(written()).toContain("packets of sockets could not be answered");
});

test("handshake accepts key and token in its payload or query", async () => {
  const { mira } = await createTestUsers(database);
  const session = (await line.tokenOf(mira, "web"))!;
  const connectWith = (auth: object, query: Record<string, string> = {}) =>
    io(`${line.origin()}/${APP}`, {
      path: `/${APP}`,
      auth,
      query,
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
    });
  const ticket = createSocketTicket(line.app, session.sessionId);
  const socket = connectWith({ apiKey: KEY, userToken: ticket });
  await waitForConnect(socket);
  expect(
    (
      await collectAnswers(socket)
        .subscribe("PUB_SUB_CONNECT", { channel: `user:${mira.id}` })
        .next()
    ).event,
  ).toBe("SUB_READY");
  socket.close();
  for (const auth of [
    { apiKey: "wrong" },
    { apiKey: KEY, userToken: `${TOKEN}-` },
    { apiKey: {}, userToken: [] },
  ]) {
    const refused = connectWith(auth, { userToken: "null" });
    await expect(waitForConnect(refused)).rejects.toThrow();
    refused.close();
  }
});

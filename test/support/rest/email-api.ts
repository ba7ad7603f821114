import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type EmailInfo, createEmailTemplate } from "#baas/email";
import { MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { createMailSender } from "#platform/mail";
import { testDatabase } from "../setup/test-database.ts";
import { APP, startTestApi, PASSWORD, type TestRestApi, SERVER } from "./rest-server.ts";
import { startSmtpServer } from "./smtp-server.ts";

/** Setup for email tests: an API with an SMTP server behind it, and callers. */
export const database = await testDatabase();
export const { db, clock } = database;
export let testApi: TestRestApi;
export let smtpServer: Awaited<ReturnType<typeof startSmtpServer>>;
/** Addresses that the mail server rejects, with the SMTP code. */
export const refusedAddresses = new Map<string, number>();

beforeAll(async () => {
  testApi = await startTestApi(database);
});
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0, severalLogins: true });
  refusedAddresses.clear();
  smtpServer = await startSmtpServer((address) => refusedAddresses.get(address) ?? null);
});
afterEach(() => smtpServer.close());
afterAll(() => testApi.close());

/** Creates the SDK with the server key. */
export const serverSdk = () => testApi.sdk(SERVER);

/** Creates the SDK of a signed-in person. */
export async function signInSdk(username: string) {
  const id = await testApi.member(username);
  const client = testApi.sdk();
  await client.UserService.login(`${username}@example.org`, PASSWORD);
  return Object.assign(client, { id });
}

/** Sends a call without the SDK, by default with the server key. */
export const callEmailApi = async (
  path: "messaging/email" | "emailtemplate/send",
  body: object,
  key = SERVER,
) => {
  const { status, body: answer } = await testApi.call("POST", `/${APP}/${key}/${path}`, body);
  return {
    ...(answer as {
      messageId: string;
      code: number;
      message: string;
      errorData: { fields?: Record<string, string> };
    }),
    status,
  };
};
export const PLAIN_EMAIL = { subject: "Frost", bodyparts: { textmessage: "Close the windows." } };

export const createTestTemplate = (more: Partial<Parameters<typeof createEmailTemplate>[1]> = {}) =>
  createEmailTemplate(testApi.app.mails, {
    name: "Welcome",
    subject: "Welcome, {name}",
    text: "Hello {name}, your bed is {bed}.",
    html: "<p>Hello <b>{name}</b>, your bed is {bed}.</p>",
    ...more,
  });

/** Returns the status of a message by its id. */
export const readEmailStatus = async (id: string) =>
  (await serverSdk().Messaging.getMessageStatus(id)) as unknown as EmailInfo;

/** Runs mail jobs until none is left; undeliverable mail stays in the queue. */
export async function deliverQueuedEmail(
  url = smtpServer.url,
  replyBox: string | null = null,
): Promise<void> {
  const way = createMailSender({
    smtpUrl: url,
    from: "Kith <kith@example.org>",
    renderer: async () => "",
    replyBox,
  });
  const waiting = await many(
    db,
    sql<{
      id: string;
    }>`select id from mails where sent_at is null and given_up_at is null order by created_at, id`,
  );
  for (const { id } of waiting) await way.deliver(db, id, clock.at).catch(() => {});
  clock.pass(12 * MINUTE);
}

/** Returns the received mail by recipient address. */
export const receivedByAddress = () => Object.fromEntries(smtpServer.handed.map((it) => [it.for.join(), it]));

type Refused = { code: number; status: number; message: string };
/** Sends a mail with the SDK. */
export const sendEmail = (
  to: string[],
  more: { subject?: string; parts?: object; files?: string[] } = {},
  client = serverSdk(),
) =>
  client.Messaging.sendEmail(
    more.subject ?? "Frost",
    (more.parts ?? { textmessage: "Close the windows." }) as never,
    to,
    more.files,
  ) as unknown as Promise<EmailInfo>;
/** Returns the outcome: sent, or the code of the refusal. */
export const describeOutcome = (work: Promise<unknown>) =>
  work.then(
    () => "sent",
    ({ status: it, code }: Refused) => (it === 400 ? code : it),
  );

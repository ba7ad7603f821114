import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type MailInfo, addTemplate } from "#backend/mails";
import { MINUTE } from "#platform/clock";
import { many, sql } from "#platform/database";
import { openPost } from "#platform/mail";
import { testDatabase } from "../../../../test/setup/database.ts";
import { APP, openDoor, PASSWORD, type RestDoor, SERVER } from "../rest.fixture.ts";
import { mailServer } from "./mail-server.fixture.ts";

/** Shared by the email tests: an API, an SMTP server behind it, and callers. */
export const database = await testDatabase();
export const { db, clock } = database;
export let door: RestDoor;
export let post: Awaited<ReturnType<typeof mailServer>>;
/** Addresses the mail server rejects, with the SMTP code. */
export const refused = new Map<string, number>();

beforeAll(async () => {
  door = await openDoor(database);
});
beforeEach(async () => {
  door.forget();
  await door.set({ apiCalls: 0, apiCallsOfPerson: 0, severalLogins: true });
  refused.clear();
  post = await mailServer((address) => refused.get(address) ?? null);
});
afterEach(() => post.close());
afterAll(() => door.close());

/** The SDK with the server key. */
export const server = () => door.sdk(SERVER);

/** The SDK of a signed-in person. */
export async function signedIn(username: string) {
  const id = await door.member(username);
  const app = door.sdk();
  await app.UserService.login(`${username}@example.org`, PASSWORD);
  return Object.assign(app, { id });
}

/** A bare call with the server key, or another. */
export const call = async (path: "messaging/email" | "emailtemplate/send", body: object, key = SERVER) => {
  const { status, body: answer } = await door.call("POST", `/${APP}/${key}/${path}`, body);
  return { ...(answer as { messageId: string; code: number; message: string; errorData: { fields?: Record<string, string> } }), status };
};
export const plain = { subject: "Frost", bodyparts: { textmessage: "Close the windows." } };

export const template = (more: Partial<Parameters<typeof addTemplate>[1]> = {}) =>
  addTemplate(door.house.mails, {
    name: "Welcome",
    subject: "Welcome, {name}",
    text: "Hello {name}, your bed is {bed}.",
    html: "<p>Hello <b>{name}</b>, your bed is {bed}.</p>",
    ...more,
  });

/** Status of a message by id. */
export const status = async (id: string) => (await server().Messaging.getMessageStatus(id)) as unknown as MailInfo;

/** Runs all mail jobs until none is left; undeliverable mail stays queued. */
export async function deliver(url = post.url, replyBox: string | null = null): Promise<void> {
  const way = openPost({ smtpUrl: url, from: "Kith <kith@example.org>", face: async () => "", replyBox });
  const waiting = await many(
    db,
    sql<{ id: string }>`select id from mails where sent_at is null and given_up_at is null order by created_at, id`,
  );
  for (const { id } of waiting) await way.deliver(db, id, clock.at).catch(() => {});
  clock.pass(12 * MINUTE);
}

/** Received mail by recipient address. */
export const boxes = () => Object.fromEntries(post.handed.map((it) => [it.for.join(), it]));

type Refused = { code: number; status: number; message: string };
/** Sends a mail with the SDK. */
export const send = (to: string[], more: { subject?: string; parts?: object; files?: string[] } = {}, app = server()) =>
  app.Messaging.sendEmail(
    more.subject ?? "Frost",
    (more.parts ?? { textmessage: "Close the windows." }) as never,
    to,
    more.files,
  ) as unknown as Promise<MailInfo>;
/** Outcome: sent, or the code of the refusal. */
export const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "sent",
    ({ status: it, code }: Refused) => (it === 400 ? code : it),
  );

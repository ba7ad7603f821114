import Backendless from "backendless";
import { describe, expect, test } from "vitest";
import { addTemplate, changeTemplate, listTemplates, removeTemplate } from "#backend/mails";
import { many, run, sql } from "#platform/database";
import { boxes, call, clock, db, deliver, door, post, server, signedIn, status, template } from "./mails.fixture.ts";

type Info = { messageId: string; status: string; errorMessage: string | null };
const values = { name: "Mira", bed: 7 };
const send = (envelope: object, given: object | undefined = values, app = server(), files?: string[], name = "Welcome") => {
  const made = (app.Messaging as unknown as { EmailEnvelope: typeof Backendless.EmailEnvelope }).EmailEnvelope.create(envelope);
  return app.Messaging.sendEmailFromTemplate(name, made, given, files) as unknown as Promise<Info>;
};
const visible = () =>
  Object.fromEntries(
    post.handed.map(({ for: whom, mail }) => [
      whom.join(),
      { to: (mail.to ?? []).map(({ address }) => address), cc: (mail.cc ?? []).map(({ address }) => address) },
    ]),
  );

describe("a mail from a template, by the client as it is published", () => {
  test("has its places filled: as they are in the text, harmless in the HTML", async () => {
    await template();
    await server().Files.saveFile("plans", "a.txt", "Beans", true);
    const name = `<script>"it's" & {bed}`;
    const info = await send({ addresses: "mira@example.org" }, { name, bed: 7, unused: true }, server(), ["plans/a.txt"]);
    await deliver();
    const { mail } = post.handed[0]!;
    expect(mail.subject).toBe(`Welcome, ${name}`);
    expect(mail.text).toBe(`Hello ${name}, your bed is 7.\n`);
    expect(mail.html).toBe("<p>Hello <b>&lt;script&gt;&quot;it&#39;s&quot; &amp; {bed}</b>, your bed is 7.</p>\n");
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(["a.txt"]);
    expect(await status(info.messageId)).toMatchObject({ status: "published" });
  });

  test("leaves what is no place as it is, and a place empty for null", async () => {
    await template({ name: "Styled", subject: "Bed {bed}", text: "", html: "<style>p{color:red} a { }</style><p>{bed}|{no place}|{}</p>" });
    await send({ addresses: "mira@example.org" }, { bed: null }, server(), undefined, "Styled");
    await deliver();
    const { mail } = post.handed[0]!;
    expect(mail.subject).toBe("Bed");
    expect(mail.html).toContain("<style>p{color:red} a { }</style><p>|{no place}|{}</p>");
  });

  test("brings no line into the head that a value held", async () => {
    await template();
    await send({ addresses: "mira@example.org" }, { name: "Mira\r\nBcc: all@example.org", bed: 1 });
    await deliver();
    expect(post.handed[0]!.head).not.toMatch(/^Bcc:/im);
    expect(post.handed[0]!.mail.subject).toBe("Welcome, Mira Bcc: all@example.org");
  });

  test("is refused by the number that clients know where there is no such template", async () => {
    await expect(send({ addresses: "mira@example.org" })).rejects.toMatchObject({
      code: 24002,
      message: "Email Template with name 'Welcome' doesn't exist.",
    });
  });

  test("is refused with the names of values that are missing", async () => {
    await template();
    await expect(send({ addresses: "mira@example.org" }, { name: "Mira" })).rejects.toMatchObject({
      status: 422,
      message: "These values of the template are missing: bed.",
    });
    // What every object has is no value.
    await template({ name: "Odd", text: "{constructor} {toString}", html: "" });
    await expect(send({ addresses: "mira@example.org" }, values, server(), undefined, "Odd")).rejects.toMatchObject({
      message: "These values of the template are missing: constructor, toString.",
    });
    expect(await many(db, sql`select 1 from mails`)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["nobody", {}, "addresses: names somebody, or criteria do"],
    ["no address in copy", { "cc-addresses": ["x"] }, "cc-addresses.0: is a mail address"],
    ["no address in blind copy", { "bcc-addresses": ["a@b.org", "a@b.org\nTo: x@y.org"] }, "bcc-addresses.1: is a mail address"],
    ["a value that is none", { addresses: ["a@b.org"], "template-values": { name: {} } }, "template-values.name: is a text"],
    ["values that are none", { addresses: ["a@b.org"], "template-values": [] }, "template-values: is an object"],
    ["a word for yes", { addresses: ["a@b.org"], uniqueEmails: "yes" }, "uniqueEmails: is true or false"],
    ["a criterion that is none", { criteria: 7 }, "criteria: is a condition"],
    ["a template without a name", { addresses: ["a@b.org"], "template-name": "" }, "template-name: is the name of a template"],
    ["too long when it is filled", { addresses: ["a@b.org"], "template-values": { name: "x".repeat(300), bed: 1 } }, "250 characters"],
  ])("is refused for %s", async (_what, body, words) => {
    await template();
    const answer = await call("emailtemplate/send", {
      "template-name": "Welcome",
      "template-values": values,
      uniqueEmails: false,
      ...body,
    });
    expect(answer).toMatchObject({ status: 422, message: expect.stringContaining(words) });
  });
});

describe("who sees whom", () => {
  const envelope = {
    addresses: ["a@example.org", "b@example.org"],
    ccAddresses: ["c@example.org"],
    bccAddresses: ["unseen@example.org", "a@example.org"],
  };

  test("in one mail: those it is to and in copy; those in blind copy are seen by nobody", async () => {
    await template();
    await send(envelope);
    await deliver();
    const heads = { to: ["a@example.org", "b@example.org"], cc: ["c@example.org"] };
    expect(visible()).toEqual({ "a@example.org": heads, "b@example.org": heads, "c@example.org": heads, "unseen@example.org": heads });
    for (const { raw } of post.handed) expect(raw).not.toContain("unseen@example.org");
  });

  test("with uniqueEmails: everybody themselves alone", async () => {
    await template();
    await send({ ...envelope, uniqueEmails: true });
    await deliver();
    const alone = (address: string) => ({ [address]: { to: [address], cc: [] } });
    expect(visible()).toEqual(Object.assign({}, ...["a", "b", "c", "unseen"].map((it) => alone(`${it}@example.org`))));
    expect(new Set(post.handed.map(({ mail }) => mail.messageId)).size).toBe(4);
  });

  test("with blind copies alone: everybody themselves", async () => {
    await template();
    await send({ bccAddresses: ["c@example.org", "unseen@example.org"] });
    await deliver();
    expect(visible()).toEqual({
      "c@example.org": { to: ["c@example.org"], cc: [] },
      "unseen@example.org": { to: ["unseen@example.org"], cc: [] },
    });
  });
});

describe("people whom criteria find", () => {
  test("are each written to alone, with a way to end such mail in one request", async () => {
    await template();
    for (const name of ["ana", "ben", "cleo"]) await door.member(name);
    await send({ query: "username in ('ana', 'ben')", addresses: "x@example.org" });
    await deliver();
    expect(visible()).toEqual({
      "x@example.org": { to: ["x@example.org"], cc: [] },
      "ana@example.org": { to: ["ana@example.org"], cc: [] },
      "ben@example.org": { to: ["ben@example.org"], cc: [] },
    });
    const { head } = boxes()["ana@example.org"]!;
    expect(head).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    expect(head).toMatch(/List-Unsubscribe: <http:\/\/127\.0\.0\.1:\d+\/unsubscribe\/[\w-]+>/);
    expect(boxes()["x@example.org"]!.head).not.toContain("List-Unsubscribe");
  });

  test("get it once, though they are named as well", async () => {
    await template();
    await door.member("ana");
    await send({ query: "1=1", addresses: ["Ana@example.org", "b@example.org"] });
    await deliver();
    expect(post.handed.flatMap((it) => it.for)).toEqual(["Ana@example.org", "b@example.org"]);
  });

  test("are those who are open to it: with an account that is, an address, and no wish to be left alone", async () => {
    await template();
    const ids: Record<string, string> = {};
    for (const name of ["ana", "ben", "cleo", "dora", "emil", "finn"]) ids[name] = await door.member(name);
    await run(db, sql`update people set mail_level = 'nothing' where id = ${ids["ben"]}`);
    await run(db, sql`insert into mail_stops (person_id, scope, at) values (${ids["cleo"]}, 'kind:programs', ${clock.at})`);
    await run(db, sql`update people set state = 'suspended' where id = ${ids["dora"]}`);
    await run(db, sql`update people set state = 'unverified' where id = ${ids["emil"]}`);
    await run(db, sql`update people set email = null where id = ${ids["finn"]}`);
    const { messageId } = await send({ query: "objectId is not null" });
    await deliver();
    expect(post.handed.flatMap((it) => it.for)).toEqual(["ana@example.org"]);
    const nobody = await send({ query: "username = 'ben'" });
    expect(nobody).toEqual({ messageId: expect.any(String), status: "failed", errorMessage: "There is nobody to write to." });
    expect([await status(nobody.messageId), (await status(messageId)).status]).toEqual([nobody, "published"]);
  });

  test("are those whom the caller may find, and nobody is found by what the caller may not see", async () => {
    await template();
    await door.set({ mailRoles: "AuthenticatedUser" });
    const [ana, ben, cleo] = [await signedIn("ana"), await signedIn("ben"), await signedIn("cleo")];
    await run(db, sql`insert into blocks (blocker_id, blocked_id, created_at) values (${cleo.id}, ${ana.id}, ${clock.at})`);
    await send({ query: "username <> 'ana'" }, values, ana);
    expect(await send({ query: "email = 'ben@example.org'" }, values, ana)).toMatchObject({ status: "failed" });
    await deliver();
    expect(post.handed.flatMap((it) => it.for)).toEqual(["ben@example.org"]);
    expect(await send({ query: "email = 'ben@example.org'" })).toMatchObject({ status: "scheduled" });
    expect(ben.id).toBeDefined();
  });

  test("are five thousand at the most, at one time", async () => {
    await template();
    await door.set({ mailsPerHour: 0 });
    const people = (from: number, to: number) =>
      run(
        db,
        sql`insert into people (id, username, display_name, email, state, created_at, updated_at)
            select gen_random_uuid(), 'user' || n, 'U', 'user' || n || '@h' || (n % 5) || '.org', 'active', ${clock.at}, ${clock.at}
            from generate_series(${from}::int, ${to}::int) n`,
      );
    await people(1, 5_000);
    expect(await send({ query: "1=1" })).toMatchObject({ status: "scheduled" });
    await people(5_001, 5_001);
    await expect(send({ query: "1=1" })).rejects.toMatchObject({ status: 413 });
    expect(await many(db, sql`select 1 from mails`)).toHaveLength(5_000);
  });

  test("are found by a condition that can be read", async () => {
    await template();
    for (const query of ["frost >", "nothing = 'x'", "1=1; drop table people"])
      await expect(send({ query })).rejects.toMatchObject({ status: 400 });
    expect(await many(db, sql`select 1 from program_mails`)).toEqual([]);
  });
});

describe("templates", () => {
  const given = { name: "A", subject: "S", text: "T", html: "" };
  test("have a name of their own, and say something", async () => {
    const { mails } = door.house;
    const id = await addTemplate(mails, given);
    await expect(addTemplate(mails, given)).rejects.toMatchObject({ reason: "invalid", fields: { name: expect.any(String) } });
    const other = await addTemplate(mails, { ...given, name: "B" });
    await expect(changeTemplate(mails, other, given)).rejects.toMatchObject({ fields: { name: expect.any(String) } });
    await expect(addTemplate(mails, { ...given, name: "C", text: " " })).rejects.toMatchObject({ fields: { text: expect.any(String) } });
    await changeTemplate(mails, id, { ...given, name: "Z" });
    expect((await listTemplates(mails)).map(({ name }) => name)).toEqual(["B", "Z"]);
    await removeTemplate(mails, id);
    for (const gone of [id, "none"]) {
      await expect(removeTemplate(mails, gone)).rejects.toMatchObject({ reason: "not-found" });
      await expect(changeTemplate(mails, gone, given)).rejects.toMatchObject({ reason: "not-found" });
    }
  });

  test("are five hundred at the most", async () => {
    await run(
      db,
      sql`insert into mail_templates (id, name, subject, body_text, body_html, created_at, updated_at)
          select gen_random_uuid(), 't' || n, 's', 't', '', ${clock.at}, ${clock.at} from generate_series(1, 500) n`,
    );
    await expect(addTemplate(door.house.mails, given)).rejects.toMatchObject({ reason: "too-large" });
  });
});

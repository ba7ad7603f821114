import { beforeEach, describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { GUEST, type Viewer } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  type TestUsers,
  createTestUsers,
} from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

/** Without scripts, a failed form is the only copy of what was written in it. */
const database = await testDatabase();
const { db } = database;
const { server, as } = await serveBuiltPages(database);
let people: TestUsers;
let group: Awaited<ReturnType<typeof createTestGroup>>;
let discussion: Awaited<ReturnType<typeof createTestDiscussion>>;

beforeEach(async () => {
  database.clock.at = new Date();
  people = await createTestUsers(database);
  group = await createTestGroup(database, people);
  discussion = await createTestDiscussion(database, people.tomas, group.id);
});

const post = async (
  viewer: Viewer,
  url: string,
  fields: Record<string, string> | Buffer,
  headers: Record<string, string> = {},
) =>
  server.inject({
    method: "POST",
    url,
    headers: {
      ...as(viewer),
      accept: "text/html",
      origin: "http://kith.test",
      host: "kith.test",
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    payload: Buffer.isBuffer(fields) ? fields : new URLSearchParams(fields).toString(),
  });

const words = "Tomatoes, and\nbeans & </textarea> peas.";
const shown = ">\nTomatoes, and\nbeans &#38; &#60;/textarea&#62; peas.</textarea>";

describe("form sent after the session has ended", () => {
  test("returns a page with all typed text, a button to send it again and a link to sign in", async () => {
    const url = `/groups/${group.slug}/new`;
    const answer = await post(GUEST, url, {
      groupId: group.id,
      title: 'What "grows"',
      body: words,
      pollOptions: "a\nb",
      pollChoice: "one",
    });
    expect(answer.statusCode).toBe(401);
    const { body } = answer;
    expect(body).toContain(shown);
    expect(body).toContain('name="title" dir="auto" class="input" value="What &#34;grows&#34;">');
    expect(body).toContain(`<form method="post" action="${url}"`);
    expect(body).toContain(`<input type="hidden" name="groupId" value="${group.id}">`);
    expect(body).toContain('<input type="hidden" name="pollChoice" value="one">');
    expect(body).toMatch(/<a [^>]*target="_blank"[^>]* href="\/login\?next=/);
    expect(body).toContain("You are signed out.");
  });

  test("returns the text in the sender's language", async () => {
    const { body } = await post(
      GUEST,
      `/groups/${group.slug}/new`,
      { title: "T", body: words },
      { "accept-language": "de" },
    );
    expect(body).toContain("Du bist abgemeldet.");
    expect(body).toContain(shown);
  });

  test("redirects to sign-in if nothing was typed", async () => {
    const nothing = await post(GUEST, `/groups/${group.slug}/new`, {
      groupId: group.id,
      title: " ",
      body: "",
    });
    expect(nothing.headers.location).toMatch(/^\/login\?next=/);
    const looking = await server.inject({ url: `/groups/${group.slug}/new` });
    expect(looking.headers.location).toMatch(/^\/login\?next=/);
  });

  test.each(["/messages", "/resources/new", "/announcements/new", "/groups/new"])(
    "returns the text at %s too",
    async (url) => {
      const answer = await post(GUEST, url, { body: words });
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toContain(shown);
    },
  );

  test("returns the edited text of a post, although guests cannot open its edit form", async () => {
    const { id: postId } = await one<{ id: string }>(
      db,
      sql`select id from posts where discussion_id = ${discussion.id}`,
    );
    const url = `/discussions/${discussion.id}?post=1&edit=${postId}`;
    const answer = await post(GUEST, url, { intent: "edit", postId, version: "1", body: words });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain(shown);
    expect(answer.body).toContain(`<input type="hidden" name="postId" value="${postId}">`);
  });

  test("returns the text of a reply in the same way for a hidden and a missing discussion", async () => {
    const closed = await createTestGroup(database, people, { name: "Closed beds", visibility: "private" });
    const within = await createTestDiscussion(database, people.tomas, closed.id);
    const reply = { intent: "reply", clientId: crypto.randomUUID(), body: words };
    for (const id of [within.id, crypto.randomUUID()]) {
      const answer = await post(GUEST, `/discussions/${id}`, reply);
      expect(answer.statusCode).toBe(401);
      expect(answer.body).toContain(shown);
    }
  });

  test("returns the text of a reply in a private community too", async () => {
    await run(db, sql`insert into settings (key, value, changed_at) values ('audience', '"private"', now())`);
    const answer = await post(GUEST, `/discussions/${discussion.id}`, {
      intent: "reply",
      clientId: crypto.randomUUID(),
      body: words,
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain(shown);
  });

  test("returns the reply form with an offer to sign in where guests may write", async () => {
    const answer = await post(GUEST, `/discussions/${discussion.id}`, {
      intent: "reply",
      clientId: crypto.randomUUID(),
      body: words,
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain("Sign in to send");
    expect(answer.body).not.toContain("Send again");
  });
});

test("text sent with a file over the size limit is kept on the error page", async () => {
  const form = new FormData();
  form.append("groupId", group.id);
  form.append("title", "Beans");
  form.append("body", words);
  form.append("picture", new Blob([Buffer.alloc(11_100_000)]), "beans.jpg");
  const sent = new Request(`http://kith.test/groups/${group.slug}/new`, { method: "POST", body: form });
  const headers = { "content-type": sent.headers.get("content-type")!, "accept-language": "de" };
  const answer = await post(
    people.mira,
    `/groups/${group.slug}/new`,
    Buffer.from(await sent.arrayBuffer()),
    headers,
  );
  expect(answer.statusCode).toBe(413);
  expect(answer.body).toContain("Das ist größer als die Grenze von 11 MB");
  expect(answer.body).toContain(shown.replace("Tomatoes, and\n", "Tomatoes, and\r\n"));
  expect(answer.body).toContain(`<input type="hidden" name="groupId" value="${group.id}">`);
  expect(answer.body).toContain("Noch einmal senden");
});

describe("form that fails with a server error", () => {
  test("can be sent again from the error page", async () => {
    await run(db, sql`alter table posts add constraint broken check (false) not valid`);
    const clientId = crypto.randomUUID();
    const fields = { intent: "reply", clientId, body: words, password: "not to be seen" };
    const answer = await post(people.mira, `/discussions/${discussion.id}`, fields);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain(shown);
    expect(answer.body).not.toContain("not to be seen");
    await run(db, sql`alter table posts drop constraint broken`);
    const { password: _, ...again } = fields;
    expect((await post(people.mira, `/discussions/${discussion.id}`, again)).statusCode).toBe(302);
  });

  test("offers nothing to send again if nothing was typed", async () => {
    const answer = await post(people.mira, `/discussions/${discussion.id}`, { intent: "no-such-thing" });
    expect(answer.body).not.toContain("Send again");
  });
});

import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { blockPerson } from "#community/friends";
import { discussionRules, type GroupFacts, type SignedIn } from "#community/rules";
import {
  createTestDiscussion,
  createTestGroup,
  listEmittedEvents,
  setMembership,
  createTestUsers,
  createPerson,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { editPost, getPost, renderQuote } from "../index.ts";
import { isMentionable } from "./mentions.ts";
import { createMentionSetup } from "../../../../test/support/discussions/mention-setup.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { setting, mentionsOf } = createMentionSetup(database);

describe("mention in a post", () => {
  test("links to the person in any letter case, and notifies them once", async () => {
    const { mira, tomas, reply } = await setting();
    const { id, html, plain } = await reply(
      mira,
      "What do you think, @Tomas? And @tomas again, see `@tomas`.",
    );
    expect(html).toBe(
      `<p>What do you think, <a href="/users/${tomas.id}">@Tomas</a>? And <a ` +
        `href="/users/${tomas.id}">@tomas</a> again, see <code>@tomas</code>.</p>\n`,
    );
    expect(plain).toEqual([]);
    expect(await mentionsOf(id)).toEqual([tomas.id]);
    expect((await listEmittedEvents(database)).filter((type) => type === "post.mentioned")).toHaveLength(1);
  });

  test("still links to the person after a rename", async () => {
    const { mira, tomas, reply } = await setting();
    const { id, html } = await reply(mira, "Thanks @tomas");
    await run(db, sql`update people set username = 'thomas' where id = ${tomas.id}`);
    expect((await getPost(db, mira, id)).html).toBe(html);
    expect(html).toContain(`/users/${tomas.id}`);
  });

  test("links to the post's own author without notifying them", async () => {
    const { mira, reply } = await setting();
    const { id, html } = await reply(mira, "I, @mira, was here");
    expect(html).toContain(`<a href="/users/${mira.id}">@mira</a>`);
    expect(await mentionsOf(id)).toEqual([]);
  });

  test("remains plain text if the person has no access, is blocked or does not exist", async () => {
    const { mira, tomas, reply } = await setting();
    await within((tx) => blockPerson(tx, tomas, { personId: mira.id }));
    const { id, html, plain } = await reply(
      mira,
      "@noor @tomas @nobody mira@tomas.org [@ines](https://example.org)",
    );
    expect(html).not.toContain("/users/");
    expect(plain).toEqual(["noor", "tomas", "nobody"]);
    expect(await mentionsOf(id)).toEqual([]);
  });

  test("notifies at most ten people, or two from a newcomer; further mentions stay plain text", async () => {
    const { group, mira, reply } = await setting();
    const names = Array.from({ length: 12 }, (_, at) => `friend${at}`);
    const newcomer = await within(async (tx) => {
      for (const name of names) await setMembership(tx, group.id, await createPerson(tx, name), "member");
      const viewer = await createPerson(tx, "newcomer", "member", "new");
      await setMembership(tx, group.id, viewer, "member");
      return viewer;
    });
    const all = names.map((name) => `@${name}`).join(" ");
    expect(await reply(mira, all)).toMatchObject({ plain: ["friend10", "friend11"] });
    const few = await reply(newcomer, all);
    expect(few.plain).toEqual(names.slice(2));
    expect(await mentionsOf(few.id)).toHaveLength(2);
  });

  test("in a quote is linked, notifies no one and does not count toward the limit", async () => {
    const { group, mira, tomas, ines, reply } = await setting();
    const newcomer = await within(async (tx) => {
      const viewer = await createPerson(tx, "newcomer", "member", "new");
      for (const one of [viewer, ines]) await setMembership(tx, group.id, one, "member");
      return viewer;
    });
    const { id } = await reply(mira, `Come, @tomas, @${group.slug} and @ines!`);
    const quote = await renderQuote(db, newcomer, id);
    const eventsCount = (await listEmittedEvents(database)).length;
    const answer = await reply(newcomer, `${quote}> - @mira too\n\nYes, @mira and @tomas.`);
    expect(answer.html).toContain(
      `<blockquote>\n<p>Come, <a href="/users/${tomas.id}">@tomas</a>, <a href="/groups/${group.id}">`,
    );
    expect(answer.plain).toEqual([]);
    expect(new Set(await mentionsOf(answer.id))).toEqual(new Set([mira.id, tomas.id]));
    const quoted = await reply(newcomer, `${quote}So be it.`);
    expect(await mentionsOf(quoted.id)).toEqual([]);
    expect(quoted.html).toContain(`/users/${ines.id}`);
    expect(
      (await listEmittedEvents(database)).slice(eventsCount).filter((type) => type === "post.mentioned"),
    ).toHaveLength(2);
  });

  test("can occur thousands of times in a text, and ten unresolved names are reported", async () => {
    const { mira, tomas, reply } = await setting();
    const { id, plain } = await reply(
      mira,
      `@tomas ${Array.from({ length: 2_900 }, (_, at) => `@nobody${at}`).join(" ")}`.slice(0, 32_000),
    );
    expect(await mentionsOf(id)).toEqual([tomas.id]);
    expect(plain).toHaveLength(10);
  });

  test("notifies when an edit adds it, and is withdrawn when an edit removes it", async () => {
    const { mira, tomas, ines, group, reply } = await setting();
    await within((tx) => setMembership(tx, group.id, ines, "member"));
    const { id } = await reply(mira, "@tomas, look");
    expect(
      await within((tx) =>
        editPost(tx, mira, { postId: id, version: 1, body: "@ines and @tomas, look, @noor" }),
      ),
    ).toEqual({
      plain: ["noor"],
    });
    expect(new Set(await mentionsOf(id))).toEqual(new Set([ines.id, tomas.id]));
    await within((tx) => editPost(tx, mira, { postId: id, version: 2, body: "Look." }));
    expect(await mentionsOf(id)).toEqual([]);
    expect((await listEmittedEvents(database)).filter((type) => type === "post.mentioned")).toHaveLength(2);
  });

  test("also works in the first post of a discussion", async () => {
    const { mira, tomas, group } = await setting();
    const { postId, plain } = await createTestDiscussion(database, mira, group.id, { body: "@tomas @noor?" });
    expect(await mentionsOf(postId)).toEqual([tomas.id]);
    expect(plain).toEqual(["noor"]);
  });
});

describe("mention of a group", () => {
  test("by a member notifies its members, unless some readers cannot see the group", async () => {
    const { mira, tomas, group, reply } = await setting("secret");
    const other = await createTestGroup(
      database,
      { mira, tomas },
      { name: "Tool Shed", visibility: "private" },
    );
    const hidden = await createTestGroup(
      database,
      { mira, tomas },
      { name: "Hidden Shed", visibility: "secret" },
    );
    const { id, html, plain } = await reply(mira, `@${group.slug} @${other.slug} @${hidden.slug}`);
    expect(html).toContain(`<a href="/groups/${group.id}">@${group.slug}</a>`);
    expect(new Set(await mentionsOf(id))).toEqual(new Set([group.id, other.id]));
    expect(plain).toEqual([hidden.slug]);
  });

  test("remains plain text for non-members and in groups of more than a hundred people", async () => {
    const { mira, tomas, ines, group, reply } = await setting("public");
    const other = await createTestGroup(database, { mira, tomas }, { name: "Tool Shed" });
    expect((await reply(ines, `@${other.slug}`)).plain).toEqual([other.slug]);
    await run(db, sql`update groups set members_count = 101 where id = ${group.id}`);
    expect((await reply(mira, `@${group.slug}`)).plain).toEqual([group.slug]);
    await run(db, sql`update groups set members_count = 100 where id = ${group.id}`);
    expect((await reply(mira, `@${group.slug}`)).plain).toEqual([]);
  });
});

test("SQL and rules agree on mentions for every membership status, group state and visibility", async () => {
  const people = await createTestUsers(database);
  const everybody = await within(async (tx) => {
    const found: SignedIn[] = [people.tomas, people.mira, people.ines, people.ada, people.noor];
    for (const state of ["active", "limited", "suspended", "ghost", "deactivated", "unverified"]) {
      const viewer = await createPerson(tx, `is_${state}`);
      await run(
        tx,
        sql`update people set state = ${state}, deactivated_at = case
          when ${state} = 'deactivated' then ${tx.now}::timestamptz end where id = ${viewer.id}`,
      );
      found.push(viewer);
    }
    return found;
  });
  await within((tx) => blockPerson(tx, people.noor, { personId: people.mira.id }));
  for (const visibility of ["public", "private", "secret"] as const) {
    const group = await createTestGroup(database, people, { visibility });
    const standings = ["requested", "invited", "member", "banned", "left", "declined"] as const;
    const standing = await within(async (tx) => {
      const found: SignedIn[] = [];
      for (const how of standings) {
        const viewer = await createPerson(tx, `${how}_${visibility}`);
        await setMembership(tx, group.id, viewer, how);
        found.push(viewer);
      }
      return found;
    });
    for (const audience of ["group", "members"] as const) {
      const rows = await many(
        db,
        sql<GroupFacts & { personId: string; personState: string; blockedEitherWay: boolean; may: boolean }>`
          select p.id as "personId", p.state as "personState", g.visibility, g.join_policy as "joinPolicy",
            g.state, m.state as "viewerState",
            m.role as "viewerRole", p.id = ${people.noor.id} as "blockedEitherWay",
            ${isMentionable(people.mira, { groupId: group.id, audience }, "p", "g", "m")} as may
          from people p join groups g on g.id = ${group.id} left
          join memberships m on m.group_id = g.id and m.person_id = p.id
          where p.id = any(${[...everybody, ...standing].map(({ id }) => id)}::uuid[])`,
      );
      expect(rows).toHaveLength(everybody.length + standings.length);
      for (const { personId, personState, blockedEitherWay, may: can, ...theirs } of rows)
        expect({ personState, theirs, may: can }).toEqual({
          personState,
          theirs,
          may: discussionRules.mentionPerson(
            {
              id: personId,
              role: "member",
              trust: "new",
              limited: false,
              state: personState,
              blockedEitherWay,
            },
            theirs,
            audience,
          ),
        });
    }
  }
});

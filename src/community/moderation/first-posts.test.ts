import { describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { one, run, sql } from "#platform/database";
import { block } from "#community/friends";
import { addDocument, NewDocument } from "#community/resources";
import { FIRST_LOOKS, type FirstLook, LIMITS, type SignedIn, type Viewer } from "#community/rules";
import { aDiscussion, aGroup, announced, aReply, bring, cast, person } from "../../../test/cast.ts";
import { NewPostReport, reportPost, reportsFor, Resolution, resolveReport } from "./index.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import {
  comment,
  commentOrWait,
  discussionFor,
  discussionsOf,
  draftFor,
  editPost,
  forgetHeldPosts,
  GivingBack,
  heldFileFor,
  heldPosts,
  heldWaitingIn,
  letPostIn,
  mergeDiscussion,
  NewComment,
  NewDiscussion,
  NewReply,
  ownHeld,
  place,
  postFileFor,
  postsOf,
  purgeOrphans,
  replyOrWait,
  saveDraft,
  sendPostBack,
  startDiscussion,
  startOrWait,
  takeHeldBack,
} from "#community/discussions";

const database = await testDatabase();
const { db, inTransaction: within, clock } = database;

const setTo = (look: FirstLook) =>
  run(
    db,
    sql`insert into settings (key, value, changed_at) values ('firstPosts', ${JSON.stringify(look)}::jsonb, now()) on conflict (key) do update set value = excluded.value`,
  );

/** Tomas owns the group, Elsa moderates it, Mira is in it and began to talk; Nora is new there. */
async function talk(look: FirstLook = "first", visibility: "public" | "private" | "secret" = "private") {
  const people = await cast(database);
  await setTo(look);
  const group = await aGroup(database, people, { visibility });
  const { nora, elsa } = await within(async (tx) => ({
    nora: await person(tx, "nora", "member", "new"),
    elsa: await person(tx, "elsa"),
  }));
  await within((tx) => bring(tx, group.id, nora, "member"));
  await within((tx) => bring(tx, group.id, elsa, "moderator"));
  const discussion = await aDiscussion(database, people.mira, group.id);
  return { ...people, nora, elsa, group, discussion };
}

type Words = { body?: string; clientId?: string; replyTo?: string; pollOptions?: string; pollCloses?: string };
const says = (who: Viewer, discussionId: string, words: Words = {}) =>
  within((tx) => replyOrWait(tx, who, NewReply.parse({ discussionId, body: "Hello, all of you.", ...words })));
const waiting = async (who: Viewer, discussionId: string, words: Words = {}) => {
  const it = await says(who, discussionId, words);
  if (!("waits" in it)) throw new Error("it does not wait");
  return it.waits;
};
const letIn = (who: Viewer, heldId: string) => within((tx) => letPostIn(tx, who, { heldId }));
const giveBack = (who: Viewer, heldId: string, answer = "Say who you are.") =>
  within((tx) => sendPostBack(tx, who, GivingBack.parse({ heldId, answer })));
const takeBack = (who: Viewer, heldId: string) => within((tx) => takeHeldBack(tx, who, { heldId }));
const textsIn = async (who: Viewer, discussionId: string) =>
  (await postsOf(db, who, await discussionFor(db, who, discussionId), { page: 1 })).posts.map(({ html }) =>
    html?.replace(/<[^>]+>/g, "").trim(),
  );

describe("what a newcomer writes", () => {
  const LINK = "Look at https://beans.example/";
  test.each([
    ["off", ["says", "says", "says"]],
    ["links", ["says", "waits", "says"]],
    ["first", ["waits", "waits", "waits"]],
    ["all", ["waits", "waits", "waits"]],
  ] as const)("waits where “%s” is looked at first", async (look, so) => {
    const { nora, mira, discussion } = await talk(look);
    const found = [];
    for (const body of ["Hello.", LINK, "Once more."])
      found.push("waits" in (await says(nora, discussion.id, { body })) ? "waits" : "says");
    expect(found).toEqual(so);
    expect((await textsIn(mira, discussion.id)).length).toBe(1 + so.filter((it) => it === "says").length);
  });

  test.each(FIRST_LOOKS.filter((look) => look !== "off"))("says more than that once something of theirs stands here (%s)", async (look) => {
    const { nora, tomas, discussion } = await talk(look);
    const first = await says(nora, discussion.id);
    if ("waits" in first) await letIn(tomas, first.waits);
    expect("waits" in (await says(nora, discussion.id, { body: "Again." }))).toBe(look === "all");
    expect("waits" in (await says(nora, discussion.id, { body: LINK }))).toBe(true);
  });

  test("waits wherever nothing else does once three people have reported what they wrote, and no longer when these were wrong", async () => {
    const { nora, mira, noor, elsa, tomas, group, discussion } = await talk("off");
    const [pavel, vera] = await within(async (tx) => [await person(tx, "pavel"), await person(tx, "vera", "member", "new")]);
    for (const who of [noor, pavel, vera]) await within((tx) => bring(tx, group.id, who, "member"));
    const bought = await Promise.all([1, 2, 3].map((n) => aReply(database, nora, discussion.id, { body: `Buy my beans (${n}).` })));
    const reports = async (who: SignedIn, n: number) => {
      await within((tx) => reportPost(tx, who, NewPostReport.parse({ postId: bought[n]!.id, reason: "It sells beans." })));
      return "waits" in (await says(nora, discussion.id));
    };
    // Who reports twice is one; whoever has been around for a while is held up by none of it.
    expect([await reports(mira, 0), await reports(mira, 1), await reports(pavel, 1), await reports(vera, 2)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect("waits" in (await says({ ...nora, trust: "established" }, discussion.id))).toBe(false);
    for (const { id } of (await reportsFor(db, tomas, { tab: "open" })).rows)
      await within((tx) => resolveReport(tx, elsa, Resolution.parse({ reportId: id, outcome: "rejected", reason: "", note: "" })));
    expect("waits" in (await says(nora, discussion.id))).toBe(false);
  });

  test("never waits where they have been around for a while, look after the group, or are staff", async () => {
    const { mira, tomas, nora, ines, group, discussion } = await talk("all", "public");
    for (const who of [mira, tomas, { ...ines, trust: "new" } as SignedIn])
      expect(await says(who, discussion.id, { body: LINK })).toHaveProperty("number");
    await within((tx) => bring(tx, group.id, nora, "moderator"));
    expect(await says(nora, discussion.id)).toHaveProperty("number");
  });

  test("is in no list and no number, told to nobody but those who decide, and takes its draft along", async () => {
    const { nora, mira, discussion } = await talk();
    const { draft } = await within((tx) =>
      saveDraft(tx, nora, { place: place.discussion(discussion.id), version: 0, title: "", body: "Hello, all of you." }),
    );
    await within((tx) =>
      replyOrWait(
        tx,
        nora,
        NewReply.parse({ discussionId: discussion.id, body: "Hello, all of you.", draftVersion: String(draft.version) }),
      ),
    );
    expect(await draftFor(db, nora, place.discussion(discussion.id))).toBeNull();
    const { rows } = await discussionsOf(db, mira, (await discussionFor(db, mira, discussion.id)).group, {});
    expect(rows).toMatchObject([{ replies: 0 }]);
    expect(await textsIn(nora, discussion.id)).toHaveLength(1);
    expect((await announced(database)).filter((type) => type === "post.written")).toEqual([]);
    expect((await announced(database)).filter((type) => type === "post.waits")).toHaveLength(1);
  });

  test("is kept once, however often it is sent; the same name with other words is another text", async () => {
    const { nora, discussion } = await talk();
    const clientId = "0190a1b2-0000-7000-8000-000000000001";
    const ids = [await waiting(nora, discussion.id, { clientId }), await waiting(nora, discussion.id, { clientId })];
    expect(new Set(ids).size).toBe(1);
    expect(await waiting(nora, discussion.id, { clientId, body: "Something else." })).not.toBe(ids[0]);
    expect(await ownHeld(db, nora)).toHaveLength(2);
  });

  test("at once and twice is kept once, too", async () => {
    const { nora, discussion } = await talk();
    const clientId = "0190a1b2-0000-7000-8000-000000000002";
    const [one, other] = await Promise.all([waiting(nora, discussion.id, { clientId }), waiting(nora, discussion.id, { clientId })]);
    expect(one).toBe(other);
  });

  test("waits three times at most", async () => {
    const { nora, discussion } = await talk();
    for (let i = 0; i < LIMITS.heldPosts.most; i++) await waiting(nora, discussion.id, { body: `Text ${i}` });
    await expect(waiting(nora, discussion.id, { body: "One more" })).rejects.toMatchObject({ reason: "too-many" });
    await takeBack(nora, (await ownHeld(db, nora))[0]!.id);
    await waiting(nora, discussion.id, { body: "One more" });
  });

  test("is refused where they may not write, and where its poll is none, before anything is kept", async () => {
    const { nora, discussion, group } = await talk();
    const poll = { pollOptions: "Beans\nPeas", pollCloses: "2001-01-01T00:00:00Z" };
    await expect(waiting(nora, discussion.id, poll)).rejects.toMatchObject({
      reason: "invalid",
      fields: { pollCloses: expect.any(String) },
    });
    await within((tx) => bring(tx, group.id, nora, "banned"));
    await expect(waiting(nora, discussion.id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("is refused to programs, which could not be told that it waits; nothing is kept then", async () => {
    const { nora, discussion, group } = await talk();
    const { id: resourceId } = await aDocument(nora, group.id);
    for (const say of [
      () => aReply(database, nora, discussion.id),
      () => within((tx) => startDiscussion(tx, nora, NewDiscussion.parse({ groupId: group.id, title: "Who am I", body: "Nora." }))),
      () => within((tx) => comment(tx, nora, NewComment.parse({ resourceId, body: "Good." }))),
    ])
      await expect(say()).rejects.toMatchObject({ reason: "not-allowed" });
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("gets no link by being changed afterwards", async () => {
    const { nora, tomas, discussion } = await talk();
    await letIn(tomas, await waiting(nora, discussion.id));
    const { id } = await one(db, sql<{ id: string }>`select id from posts where author_id = ${nora.id}`);
    const edit = (body: string) => within((tx) => editPost(tx, nora, { postId: id, body, version: 1 }));
    await expect(edit(LINK)).rejects.toMatchObject({ reason: "invalid", fields: { body: expect.any(String) } });
    await setTo("off");
    await edit(LINK);
  });
});

const aDocument = (by: SignedIn, groupId?: string) =>
  within((tx) =>
    addDocument(
      tx,
      { ...by, trust: "established" },
      NewDocument.parse({ title: "How to sow", body: "In rows.", ...(groupId && { groupId }) }),
    ),
  );

describe("what waits", () => {
  test("is read by its author and by those who look after the group, past a block, and by nobody else", async () => {
    const { nora, mira, tomas, elsa, ines, ada, guest, group, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    await within((tx) => block(tx, nora, { personId: tomas.id }));
    for (const who of [tomas, elsa]) {
      const { rows } = await heldPosts(db, who, {});
      expect(rows).toMatchObject([
        {
          id,
          author: { username: "nora" },
          authorPosts: 0,
          place: { kind: "discussion", title: "When to sow beans" },
          group: { slug: group.slug },
        },
      ]);
      expect(rows[0]!.html).toContain("Hello, all of you.");
    }
    // The group is a private one.
    for (const who of [ines, ada]) expect((await heldPosts(db, who, {})).rows).toEqual([]);
    for (const who of [mira, nora]) await expect(heldPosts(db, who, {})).rejects.toMatchObject({ reason: "not-found" });
    await expect(heldPosts(db, guest, {})).rejects.toMatchObject({ reason: "not-signed-in" });
    expect(await ownHeld(db, nora, { discussionId: discussion.id })).toMatchObject([
      { id, givenBack: false, place: { id: discussion.id } },
    ]);
    for (const who of [mira, tomas, guest]) expect(await ownHeld(db, who)).toEqual([]);
  });

  test("in a public group by staff as well, but by none of its own author's", async () => {
    const { nora, ines, elsa, group, discussion } = await talk("all", "public");
    await waiting(nora, discussion.id);
    expect((await heldPosts(db, ines, {})).rows).toHaveLength(1);
    const facts = await discussionFor(db, elsa, discussion.id);
    expect(await heldWaitingIn(db, elsa, facts.group)).toBe(1);
    // Somebody who is made a moderator decides about others' texts, not about their own.
    await within((tx) => bring(tx, group.id, nora, "moderator"));
    expect((await heldPosts(db, nora, {})).rows).toEqual([]);
    expect(await heldWaitingIn(db, nora, (await discussionFor(db, nora, discussion.id)).group)).toBe(0);
    await expect(letIn(nora, (await ownHeld(db, nora))[0]!.id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("of one group stands apart, the earliest first, with more than fit on a page", async () => {
    const { nora, tomas, mira, elsa, group, discussion } = await talk();
    const other = await aGroup(database, { tomas, mira }, { name: "Elsewhere" });
    await within((tx) => bring(tx, other.id, nora, "member"));
    await within((tx) => startOrWait(tx, nora, NewDiscussion.parse({ groupId: other.id, title: "Over there", body: "Hello." })));
    const first = await waiting(nora, discussion.id);
    for (let i = 0; i < 20; i++) {
      clock.pass(1_000);
      const who = await within((tx) => person(tx, `new${i}`, "member", "new"));
      await within((tx) => bring(tx, group.id, who, "member"));
      await waiting(who, discussion.id);
    }
    const facts = (await discussionFor(db, elsa, discussion.id)).group;
    const page = await heldPosts(db, elsa, { group: facts });
    expect([page.rows.length, page.rows[0]!.id]).toEqual([20, first]);
    expect((await heldPosts(db, elsa, { group: facts, after: page.next! })).rows).toHaveLength(1);
    expect((await heldPosts(db, tomas, {})).rows).toHaveLength(20);
    await expect(heldPosts(db, mira, { group: { ...facts, viewerRole: "member" } })).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("goes along where its discussion is merged into another", async () => {
    const { nora, tomas, mira, group, discussion } = await talk();
    const other = await aDiscussion(database, mira, group.id, { title: "Where to sow beans" });
    const id = await waiting(nora, discussion.id);
    await within((tx) =>
      mergeDiscussion(tx, tomas, { discussionId: discussion.id, into: other.id, visibility: "private", reason: "The same." }),
    );
    expect(await letIn(tomas, id)).toMatchObject({ at: { discussionId: other.id }, number: 3 });
  });

  test("was written for the members of a group that is open to everybody by now: it is let in nowhere, and staff see nothing of it", async () => {
    const { nora, tomas, elsa, ines, group, discussion } = await talk();
    const begun = await within((tx) =>
      startOrWait(tx, nora, NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello." })),
    );
    const answered = await waiting(nora, discussion.id);
    await run(db, sql`update discussions set audience = 'members' where group_id = ${group.id}`);
    await run(db, sql`update groups set visibility = 'public', join_policy = 'open' where id = ${group.id}`);
    expect((await heldPosts(db, ines, {})).rows).toEqual([]);
    expect((await heldPosts(db, elsa, {})).rows).toHaveLength(2);
    const id = "waits" in begun ? begun.waits : "";
    for (const heldId of [id, answered]) await expect(letIn(ines, heldId)).rejects.toMatchObject({ reason: "not-found" });
    await expect(letIn(tomas, id)).rejects.toMatchObject({ reason: "conflict" });
    // What it answers is still for the members alone.
    await letIn(tomas, answered);
    await giveBack(tomas, id);
  });

  test("names no place to whoever is no longer in it", async () => {
    const { nora, group, discussion } = await talk();
    await waiting(nora, discussion.id);
    await within((tx) => bring(tx, group.id, nora, "left"));
    expect(await ownHeld(db, nora)).toMatchObject([{ place: null }]);
  });

  test("and nobody looks at goes as a draft does; what was given back goes after thirty days", async () => {
    const { nora, tomas, discussion } = await talk();
    const [back] = [await waiting(nora, discussion.id), await waiting(nora, discussion.id, { body: "Second." })];
    await giveBack(tomas, back);
    clock.pass((LIMITS.heldPosts.givenBackDays + 1) * DAY);
    expect(await within(forgetHeldPosts)).toBe(1);
    expect(await ownHeld(db, nora)).toMatchObject([{ givenBack: false }]);
    clock.pass(LIMITS.heldPosts.days * DAY);
    expect(await within(forgetHeldPosts)).toBe(1);
  });
});

describe("to let in", () => {
  test("an answer makes it stand there as if it had just been sent: with its number, its parent and its poll", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const asked = await aReply(database, mira, discussion.id, { body: "Who are you?" });
    const id = await waiting(nora, discussion.id, { body: "Nora, @mira.", replyTo: asked.id, pollOptions: "Beans\nPeas" });
    clock.pass(DAY);
    expect(await letIn(tomas, id)).toEqual({ at: { discussionId: discussion.id }, number: 3 });
    const { posts } = await postsOf(db, mira, await discussionFor(db, mira, discussion.id), { page: 1 });
    expect(posts[2]).toMatchObject({
      author: { username: "nora" },
      createdAt: clock.at,
      replyTo: { number: 2 },
      poll: { options: [{ text: "Beans" }, { text: "Peas" }] },
    });
    expect(await ownHeld(db, nora)).toEqual([]);
    expect(await announced(database)).toEqual(expect.arrayContaining(["post.written", "post.mentioned", "post.let_in"]));
    expect(await one(db, sql`select actor_id as by, details->>'personId' as whom from audit_events where act = 'post.let_in'`)).toEqual({
      by: tomas.id,
      whom: nora.id,
    });
  });

  test("a discussion begins it, and a comment stands under its resource", async () => {
    const { nora, tomas, elsa, group, mira } = await talk();
    const begun = await within((tx) =>
      startOrWait(tx, nora, NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello.", tags: "hello" })),
    );
    const { id: resourceId } = await aDocument(mira, group.id);
    const said = await within((tx) => commentOrWait(tx, nora, NewComment.parse({ resourceId, body: "Good." })));
    if (!("waits" in begun && "waits" in said)) throw new Error("it does not wait");
    expect(await ownHeld(db, nora, { resourceId })).toMatchObject([{ place: { kind: "resource", title: "How to sow" } }]);
    const { at } = await letIn(tomas, begun.waits);
    expect(await discussionFor(db, mira, (at as { discussionId: string }).discussionId)).toMatchObject({
      title: "I am new",
      tags: ["hello"],
      author: { username: "nora" },
    });
    expect(await letIn(elsa, said.waits)).toEqual({ at: { resourceId }, number: 1 });
  });

  test("under a resource that is in no group is for staff", async () => {
    const { nora, mira, tomas, ines } = await talk();
    const { id: resourceId } = await aDocument(mira);
    const said = await within((tx) => commentOrWait(tx, nora, NewComment.parse({ resourceId, body: "Good." })));
    if (!("waits" in said)) throw new Error("it does not wait");
    await expect(letIn(tomas, said.waits)).rejects.toMatchObject({ reason: "not-found" });
    expect((await heldPosts(db, ines, {})).rows).toMatchObject([{ place: { kind: "resource" }, group: null }]);
    await letIn(ines, said.waits);
  });

  test("is refused to everybody else, and once somebody has decided", async () => {
    const { nora, mira, tomas, elsa, ines, guest, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    for (const who of [mira, ines, nora]) await expect(letIn(who, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(letIn(guest, id)).rejects.toMatchObject({ reason: "not-signed-in" });
    await expect(letIn({ ...tomas, limited: true }, id)).rejects.toMatchObject({ reason: "not-found" });
    for (const odd of ["", "x", "0190a1b2-0000-7000-8000-00000000ffff"])
      await expect(letIn(tomas, odd)).rejects.toMatchObject({ reason: "not-found" });
    const both = await Promise.allSettled([letIn(tomas, id), letIn(elsa, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await textsIn(mira, discussion.id)).toHaveLength(2);
    await expect(letIn(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("is refused with a word about it where its author could not say it any more; it goes on waiting", async () => {
    const { nora, tomas, group, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    const cannot = { reason: "conflict", message: expect.stringContaining("Give it back") };
    for (const state of ["left", "banned"] as const) {
      await within((tx) => bring(tx, group.id, nora, state));
      await expect(letIn(tomas, id)).rejects.toMatchObject(cannot);
    }
    await within((tx) => bring(tx, group.id, nora, "member"));
    await run(db, sql`update people set state = 'suspended' where id = ${nora.id}`);
    await expect(letIn(tomas, id)).rejects.toMatchObject(cannot);
    await run(db, sql`update people set state = 'active' where id = ${nora.id}`);
    await letIn(tomas, id);
  });

  test("waits for no pace: what was looked at has waited long enough", async () => {
    const { nora, tomas, discussion } = await talk();
    await run(db, sql`update settings set value = 'true' where key = 'writingLimits'`);
    const ids = [await waiting(nora, discussion.id), await waiting(nora, discussion.id, { body: "And a second thing." })];
    for (const id of ids) await letIn(tomas, id);
    expect(await textsIn(tomas, discussion.id)).toHaveLength(3);
  });
});

describe("to give back", () => {
  test("puts the text into its author's draft, after what they have begun there since, and tells why", async () => {
    const { nora, tomas, discussion } = await talk();
    const at = place.discussion(discussion.id);
    const id = await waiting(nora, discussion.id);
    await within((tx) => saveDraft(tx, nora, { place: at, version: 0, title: "", body: "What else I meant." }));
    await giveBack(tomas, id);
    expect((await draftFor(db, nora, at))!.body).toBe("What else I meant.\n\nHello, all of you.");
    expect(await ownHeld(db, nora)).toMatchObject([{ givenBack: true, answer: "Say who you are." }]);
    expect((await heldPosts(db, tomas, {})).rows).toEqual([]);
    for (const again of [() => letIn(tomas, id), () => giveBack(tomas, id)])
      await expect(again()).rejects.toMatchObject({ reason: "conflict" });
    expect(await one(db, sql`select reason from audit_events where act = 'post.sent_back'`)).toEqual({ reason: "Say who you are." });
  });

  test("keeps title, tags and poll of a discussion", async () => {
    const { nora, tomas, group } = await talk();
    const begun = await within((tx) =>
      startOrWait(
        tx,
        nora,
        NewDiscussion.parse({ groupId: group.id, title: "I am new", body: "Hello.", tags: "hello, beans", pollOptions: "Yes\nNo" }),
      ),
    );
    await giveBack(tomas, "waits" in begun ? begun.waits : "");
    expect(await draftFor(db, nora, place.group(group.id))).toMatchObject({
      title: "I am new",
      body: "Hello.",
      more: { tags: "hello, beans", pollOptions: "Yes\nNo" },
    });
  });

  test("is over once its author has sent something there again, or has put it away", async () => {
    const { nora, tomas, discussion } = await talk();
    await giveBack(tomas, await waiting(nora, discussion.id));
    await waiting(nora, discussion.id, { body: "I am Nora." });
    expect(await ownHeld(db, nora)).toMatchObject([{ givenBack: false }]);
    const id = (await ownHeld(db, nora))[0]!.id;
    await giveBack(tomas, id);
    await takeBack(nora, id);
    expect(await ownHeld(db, nora)).toEqual([]);
  });

  test("needs a word about it, and is refused to everybody else", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    await expect(giveBack(tomas, id, " ")).rejects.toThrow();
    for (const who of [mira, nora]) await expect(giveBack(who, id)).rejects.toMatchObject({ reason: "not-found" });
  });
});

describe("to take back", () => {
  test("is its author's, before anybody has decided", async () => {
    const { nora, mira, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    for (const who of [mira, tomas]) await expect(takeBack(who, id)).rejects.toMatchObject({ reason: "not-found" });
    await takeBack(nora, id);
    expect((await draftFor(db, nora, place.discussion(discussion.id)))!.body).toBe("Hello, all of you.");
    await expect(letIn(tomas, id)).rejects.toMatchObject({ reason: "not-found" });
    await expect(takeBack(nora, id)).rejects.toMatchObject({ reason: "not-found" });
  });

  test("and to let in at once is one of the two", async () => {
    const { nora, tomas, discussion } = await talk();
    const id = await waiting(nora, discussion.id);
    const both = await Promise.allSettled([takeBack(nora, id), letIn(tomas, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const stands = (await textsIn(tomas, discussion.id)).length === 2;
    expect((await draftFor(db, nora, place.discussion(discussion.id))) === null).toBe(stands);
  });
});

test("a picture in what went with its author belongs to nothing", async () => {
  const { nora, discussion } = await talk();
  const id = await within(async (tx) => {
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at) values (${id}, ${nora.id}, ${"e".repeat(64)}, 1, 'image/webp', 1, 1, ${tx.now})`,
    );
    return id;
  });
  await waiting(nora, discussion.id, { body: `![Beans](/files/${id})` });
  await run(db, sql`delete from held_posts`);
  await within(forgetHeldPosts);
  expect(await one(db, sql`select attached_kind as kind from uploads where id = ${id}`)).toEqual({ kind: null });
});

test("a picture in it is seen by its author and by who decides, outlives the days of what belongs to nothing, and stands in the post then", async () => {
  const { nora, mira, tomas, discussion } = await talk();
  const picture = await within(async (tx) => {
    const id = tx.newId();
    await run(
      tx,
      sql`insert into uploads (id, owner_id, hash, size, mime, width, height, created_at) values (${id}, ${nora.id}, ${"e".repeat(64)}, 1, 'image/webp', 1, 1, ${tx.now})`,
    );
    return id;
  });
  const held = await waiting(nora, discussion.id, { body: `![Beans](/files/${picture})` });
  const seen = (who: Viewer, find = heldFileFor) =>
    find(db, who, picture).then(
      () => true,
      () => false,
    );
  expect([await seen(nora), await seen(tomas), await seen(mira)]).toEqual([true, true, false]);
  clock.pass(3 * DAY);
  const storage = { sizeOf: async () => null, remove: async () => {} } as never;
  expect(await purgeOrphans({ database, storage })).toBe(0);
  await letIn(tomas, held);
  expect(await within(forgetHeldPosts)).toBe(0);
  expect([await seen(mira, postFileFor), await seen(nora)]).toEqual([true, false]);
});

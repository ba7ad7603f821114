import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { updateProfile } from "#community/accounts";
import { addLink, NewLink } from "#community/resources";
import {
  editPost,
  listOwnPendingPosts,
  listPendingPosts,
  NewDiscussion,
  NewTitle,
  PostEdit,
  renameDiscussion,
  startDiscussionOrAwaitApproval,
} from "#community/discussions";
import { listWatchedWords, removeWatchedWord, saveWatchedWord, WatchedWordForm } from "#community/prevention";
import { type Viewer, PREVENTION_LIMITS } from "#community/rules";
import { createTestReply } from "../../../test/support/test-users.ts";
import {
  approvePost,
  createApprovalTalk,
  database,
  db,
  listTexts,
  sendReply,
  within,
} from "../../../test/support/moderation/first-posts-setup.ts";
import { assertNotTooWide, listSiteLog, tryWatchedWord } from "./index.ts";

type Given = Partial<Record<"action" | "replacement" | "explanation" | "confirmed", string>>;
const word = (phrase: string, given: Given = {}) =>
  WatchedWordForm.parse({ phrase, action: "block", replacement: "…", ...given });
const watch = (who: Viewer, phrase: string, given: Given = {}, id?: string) =>
  within((tx) => saveWatchedWord(tx, who, word(phrase, given), id));
const setUp = () => createApprovalTalk("off", "public");

describe("watched words", () => {
  test("can be managed by staff only, and each change is logged", async () => {
    const { ada, mira, guest } = await setUp();
    for (const who of [mira, guest]) {
      await expect(listWatchedWords(db, who)).rejects.toMatchObject({ reason: "not-found" });
      await expect(watch(who, "casino")).rejects.toMatchObject({ reason: "not-found" });
    }
    const { id } = await watch(ada, "casino");
    await expect(watch(ada, "Casino")).rejects.toMatchObject({ fields: { phrase: /already/ } });
    await watch(ada, "casino*", { action: "replace" }, id);
    await expect(within((tx) => removeWatchedWord(tx, mira, id))).rejects.toMatchObject({
      reason: "not-found",
    });
    expect(await listWatchedWords(db, ada)).toMatchObject([
      { phrase: "casino*", replacement: "…", changedBy: { id: ada.id } },
    ]);
    await within((tx) => removeWatchedWord(tx, ada, id));
    expect(await listWatchedWords(db, ada)).toEqual([]);
    const { rows } = await listSiteLog(db, ada, { part: "place" });
    expect(
      rows.filter(({ kind }) => kind === "watched-word").map((it) => [it.act, it.details["phrase"]]),
    ).toEqual([
      ["watched-word.removed", "casino*"],
      ["watched-word.changed", "casino*"],
      ["watched-word.added", "casino"],
    ]);
  });

  test.each(["a", "*", "a* *", "v?a", "!!!", "x".repeat(101), "ab ".repeat(41)])(
    "refuse the phrase “%s”",
    (phrase) => {
      expect(WatchedWordForm.safeParse({ phrase, action: "block" }).success).toBe(false);
    },
  );

  test("have a limit of 500", async () => {
    const { ada } = await setUp();
    await many(
      db,
      sql`insert into watched_words (id, phrase, action, changed_at)
        select gen_random_uuid(), 'word' || n, 'block', now()
        from generate_series(1, ${PREVENTION_LIMITS.watchedWords.count}::int) n returning id`,
    );
    await expect(watch(ada, "casino")).rejects.toMatchObject({ fields: { phrase: /at most 500/ } });
  });

  test("block a text with an error that quotes the word and explains why, except for staff", async () => {
    const { ada, mira, discussion } = await setUp();
    await watch(ada, "*casino*", { explanation: "Gambling is off topic." });
    const refusal = {
      fields: {
        body: "“MyCasinos” is blocked on this site. Gambling is off topic. Leave it out, then send it again.",
      },
    };
    await expect(sendReply(mira, discussion.id, { body: "See MyCasinos!" })).rejects.toMatchObject(refusal);
    await expect(
      within((tx) =>
        renameDiscussion(tx, mira, NewTitle.parse({ discussionId: discussion.id, title: "A casino" })),
      ),
    ).rejects.toMatchObject({ fields: { title: /“casino”/ } });
    expect(await sendReply(ada, discussion.id, { body: "The word casino is blocked." })).not.toHaveProperty(
      "waits",
    );
  });

  test("hold a text for approval, and show author and moderators why", async () => {
    const { ada, mira, tomas, elsa, group, discussion } = await setUp();
    await watch(ada, "casino", { action: "approve", explanation: "We check offers." });
    const reply = await sendReply(mira, discussion.id, { body: "A casino." });
    const approvalReason = { kind: "word", phrase: "casino", explanation: "We check offers." };
    expect(await listOwnPendingPosts(db, mira)).toMatchObject([{ approvalReason }]);
    expect((await listPendingPosts(db, elsa)).rows).toMatchObject([{ approvalReason }]);
    await approvePost(elsa, "waits" in reply ? reply.waits : "");
    expect(await listTexts(mira, discussion.id)).toContain("A casino.");
    const started = await within((tx) =>
      startDiscussionOrAwaitApproval(
        tx,
        mira,
        NewDiscussion.parse({ groupId: group.id, title: "The casino", body: "Hello." }),
      ),
    );
    expect(started).toHaveProperty("waits");
    expect(await sendReply(tomas, discussion.id, { body: "A casino." })).not.toHaveProperty("waits");
  });

  test("replace a word in a text, recognize the text if sent twice, and add an audit entry", async () => {
    const { ada, mira, discussion } = await setUp();
    await watch(ada, "darn", { action: "replace", replacement: "****" });
    const clientId = "01900000-0000-7000-8000-00000000000a";
    const first = await sendReply(mira, discussion.id, { body: "That darn fence.", clientId });
    expect(await sendReply(mira, discussion.id, { body: "That darn fence.", clientId })).toMatchObject({
      number: "number" in first ? first.number : 0,
    });
    expect((await listTexts(mira, discussion.id)).at(-1)).toBe("That **** fence.");
    expect((await listSiteLog(db, ada, { part: "place" })).rows[0]).toMatchObject({
      act: "watched-word.replaced",
      by: { id: mira.id },
      details: { phrase: "darn" },
    });
  });

  test("refuse an edit only for words that were not in the text before", async () => {
    const { ada, mira, discussion } = await setUp();
    const post = await createTestReply(database, mira, discussion.id, { body: "An old casino." });
    await watch(ada, "casino");
    await watch(ada, "poker", { action: "approve" });
    const edit = (body: string) =>
      within((tx) => editPost(tx, mira, PostEdit.parse({ postId: post.id, body, version: 1 })));
    await expect(edit("An old casino with poker.")).rejects.toMatchObject({
      fields: { body: /not possible for this text/ },
    });
    await expect(edit("An old casino in town.")).resolves.toBeDefined();
  });

  test("apply to resources and profiles", async () => {
    const { ada, mira } = await setUp();
    await watch(ada, "casino");
    await expect(
      within((tx) => addLink(tx, mira, NewLink.parse({ url: "https://a.example/", title: "The casino" }))),
    ).rejects.toMatchObject({ fields: { title: /“casino”/ } });
    await expect(
      within((tx) => updateProfile(tx, mira, mira.id, { bio: "Owner of a casino." })),
    ).rejects.toMatchObject({ fields: { bio: /“casino”/ } });
  });

  test("can be tried on posts that the moderator can read, and warn if they match most", async () => {
    const { ada, mira, discussion } = await setUp();
    await run(
      db,
      sql`insert into settings (key, value, changed_at) values ('writingLimits', 'false', now())
        on conflict (key) do update set value = excluded.value`,
    );
    for (let i = 0; i < 10; i++) await createTestReply(database, mira, discussion.id, { body: `Tea ${i}.` });
    await expect(tryWatchedWord(db, mira, { phrase: "tea" })).rejects.toMatchObject({ reason: "not-found" });
    const tried = await tryWatchedWord(db, ada, { phrase: "tea" });
    expect(tried).toMatchObject({ matching: 10, isTooWide: true });
    expect(tried.matches[0]).toMatchObject({ typed: "Tea", after: " 9.", author: { id: mira.id } });
    expect(await tryWatchedWord(db, ada, { phrase: "coffee" })).toMatchObject({
      matching: 0,
      isTooWide: false,
    });
    await expect(assertNotTooWide(db, ada, word("tea"))).rejects.toMatchObject({
      fields: { confirmed: /half/ },
    });
    await expect(assertNotTooWide(db, ada, word("tea", { confirmed: "on" }))).resolves.toBeUndefined();
  });

  test("cannot be tried on posts that the moderator cannot read", async () => {
    const { ada, mira, discussion } = await createApprovalTalk("off", "secret");
    await createTestReply(database, mira, discussion.id, { body: "Secret tea." });
    expect(await tryWatchedWord(db, ada, { phrase: "tea" })).toMatchObject({ posts: 0, matches: [] });
  });
});

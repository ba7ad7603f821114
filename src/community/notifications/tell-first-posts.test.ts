import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import {
  commentOrWait,
  GivingBack,
  letPostIn,
  markRead,
  NewComment,
  NewReply,
  replyOrWait,
  sendPostBack,
  takeHeldBack,
} from "#community/discussions";
import { block } from "#community/friends";
import { addDocument, NewDocument } from "#community/resources";
import type { SignedIn } from "#community/rules";
import { bring, person } from "../../../test/cast.ts";
import { notificationsOf } from "./index.ts";
import { carry, carryAgain } from "./told.fixture.ts";
import { database, talk, told, within } from "./tell.fixture.ts";

const lines = async (who: SignedIn, tab: "all" | "requests" = "all") => (await notificationsOf(database.db, who, { tab })).rows;

/** Tomas owns the group, Elsa moderates it, Nora is new there and has posted. */
async function scene(visibility: "public" | "private" = "private") {
  const it = await talk(visibility);
  await run(database.db, sql`insert into settings (key, value, changed_at) values ('firstPosts', '"first"', now())`);
  const { nora, elsa } = await within(async (tx) => ({ nora: await person(tx, "nora", "member", "new"), elsa: await person(tx, "elsa") }));
  await within((tx) => bring(tx, it.group.id, nora, "member"));
  await within((tx) => bring(tx, it.group.id, elsa, "moderator"));
  const says = async (body = "Hello.") => {
    const said = await within((tx) => replyOrWait(tx, nora, NewReply.parse({ discussionId: it.discussion.id, body })));
    return "waits" in said ? said.waits : "";
  };
  const heldId = await says();
  await carry(database);
  return { ...it, nora, elsa, says, heldId };
}
const of = async (who: SignedIn) => (await told(who)).filter((it) => it.startsWith("post_"));

test("a pending post notifies moderators once, without a name and despite blocks, until one decides", async () => {
  const { nora, tomas, elsa, mira, ada, group, heldId, says } = await scene();
  await carryAgain(database);
  for (const who of [tomas, elsa]) expect(await of(who)).toEqual(["post_waits you_lead"]);
  for (const who of [mira, nora, ada]) expect(await of(who)).toEqual([]);
  expect(await lines(tomas, "requests")).toMatchObject([
    { kind: "post_waits", actors: [], object: { kind: "group", id: group.id }, group: { slug: group.slug } },
  ]);
  await within((tx) => block(tx, nora, { personId: elsa.id }));
  const second = await says("And more.");
  await carry(database);
  expect(await of(elsa)).toEqual(["post_waits you_lead ×2"]);
  await within((tx) => letPostIn(tx, tomas, { heldId }));
  await carry(database);
  for (const who of [tomas, elsa]) expect(await of(who)).toEqual(["post_waits you_lead ×2"]);
  await within((tx) => takeHeldBack(tx, nora, { heldId: second }));
  await carry(database);
  for (const who of [tomas, elsa]) expect((await of(who)).filter((it) => !it.includes("read"))).toEqual([]);
});

test("an approved post notifies its author with a link, even if they have read on", async () => {
  const { nora, tomas, discussion, heldId } = await scene();
  await within((tx) => letPostIn(tx, tomas, { heldId }));
  await carry(database);
  await within((tx) => markRead(tx, nora, { discussionId: discussion.id, upTo: 9 }));
  await carry(database);
  await carryAgain(database);
  expect((await lines(nora)).filter(({ kind }) => kind === "post_decided")).toMatchObject([
    {
      detail: "let_in",
      reason: "your_post",
      actors: [],
      number: 2,
      object: { kind: "discussion", id: discussion.id, title: "When to sow beans" },
      unread: true,
    },
  ]);
});

test("a returned post notifies its author with the reason", async () => {
  const { nora, tomas, heldId } = await scene();
  await within((tx) => sendPostBack(tx, tomas, GivingBack.parse({ heldId, answer: "Say who you are." })));
  await carry(database);
  expect(await lines(nora)).toMatchObject([
    { kind: "post_decided", detail: "sent_back", words: "Say who you are.", actors: [], object: { title: "When to sow beans" } },
  ]);
  expect((await of(tomas)).filter((it) => !it.includes("read"))).toEqual([]);
});

test("the decision omits a title that its author can no longer read", async () => {
  const { nora, tomas, group, heldId } = await scene();
  await within((tx) => bring(tx, group.id, nora, "left"));
  await within((tx) => sendPostBack(tx, tomas, GivingBack.parse({ heldId, answer: "Come back first." })));
  await carry(database);
  expect((await lines(nora)).map(({ words, object }) => [words, object.title])).toEqual([["Come back first.", ""]]);
});

test("a post pending under a resource outside groups notifies staff", async () => {
  const { nora, mira, tomas, ines, ada } = await scene();
  const { id: resourceId } = await within((tx) => addDocument(tx, mira, NewDocument.parse({ title: "How to sow", body: "In rows." })));
  const said = await within((tx) => commentOrWait(tx, nora, NewComment.parse({ resourceId, body: "Good." })));
  await carry(database);
  for (const who of [ines, ada]) expect(await of(who)).toEqual(["post_waits staff"]);
  expect((await lines(ada)).find(({ kind }) => kind === "post_waits")).toMatchObject({
    object: { kind: "resource", title: "How to sow" },
    group: null,
  });
  expect(await of(tomas)).toEqual(["post_waits you_lead"]);
  await within((tx) => letPostIn(tx, ines, { heldId: "waits" in said ? said.waits : "" }));
  await carry(database);
  expect((await of(ada)).filter((it) => !it.includes("read"))).toEqual([]);
  expect((await lines(nora)).find(({ kind }) => kind === "post_decided")).toMatchObject({
    detail: "let_in",
    number: 1,
    object: { kind: "resource", title: "How to sow" },
  });
});

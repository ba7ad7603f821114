import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { updateProfile } from "#community/accounts";
import { NewConversation, startConversation } from "#community/conversations";
import {
  addComment,
  editPost,
  listOwnPendingPosts,
  listPendingPosts,
  NewComment,
  PostEdit,
} from "#community/discussions";
import { LinkDomainForm, listLinkDomains, removeLinkDomain, saveLinkDomain } from "#community/prevention";
import { addLink, NewLink } from "#community/resources";
import { type Viewer, PREVENTION_LIMITS } from "#community/rules";
import { createTestReply } from "../../../test/support/test-users.ts";
import {
  createApprovalTalk,
  createTestDocument,
  database,
  db,
  sendReply,
  within,
} from "../../../test/support/moderation/first-posts-setup.ts";
import { listSiteLog } from "./index.ts";

const save = (who: Viewer, domain: string, action = "block", explanation = "") =>
  within((tx) => saveLinkDomain(tx, who, LinkDomainForm.parse({ domain, action, explanation })));
const setUp = () => createApprovalTalk("off", "public");

describe("link domains", () => {
  test("can be managed by staff only, and each change is logged", async () => {
    const { ada, mira, tomas, guest } = await setUp();
    for (const who of [mira, tomas, guest]) {
      await expect(listLinkDomains(db, who, {})).rejects.toMatchObject({ reason: "not-found" });
      await expect(save(who, "casino.example")).rejects.toMatchObject({ reason: "not-found" });
      await expect(within((tx) => removeLinkDomain(tx, who, "casino.example"))).rejects.toMatchObject({
        reason: "not-found",
      });
    }
    await save(ada, "https://Bücher.example/shop");
    await save(ada, "*.bücher.example", "approve", "We check offers.");
    expect(await listLinkDomains(db, ada, { search: "bücher.example" })).toMatchObject({
      rows: [
        {
          name: "bücher.example",
          domain: "xn--bcher-kva.example",
          action: "approve",
          changedBy: { id: ada.id },
        },
      ],
    });
    await within((tx) => removeLinkDomain(tx, ada, "xn--bcher-kva.example"));
    await expect(within((tx) => removeLinkDomain(tx, ada, "xn--bcher-kva.example"))).rejects.toMatchObject({
      reason: "not-found",
    });
    const { rows } = await listSiteLog(db, ada, { part: "place" });
    expect(rows.filter(({ kind }) => kind === "link-domain").map((it) => it.act)).toEqual([
      "link-domain.removed",
      "link-domain.changed",
      "link-domain.added",
    ]);
  });

  test("refuse what is no domain, and more than the limit", async () => {
    const { ada } = await setUp();
    for (const typed of ["com", "a b.example", "-", "a@b@c"])
      await expect(save(ada, typed)).rejects.toMatchObject({ fields: { domain: /such as example.com/ } });
    await many(
      db,
      sql`insert into link_domains (domain, action, changed_at)
        select 'd' || n || '.example', 'block', now()
        from generate_series(1, ${PREVENTION_LIMITS.linkDomains.count}::int) n returning domain`,
    );
    await expect(save(ada, "casino.example")).rejects.toMatchObject({ fields: { domain: /at most 5,000/ } });
    await expect(save(ada, "d1.example", "approve")).resolves.toBeDefined();
    const first = await listLinkDomains(db, ada, {});
    const second = await listLinkDomains(db, ada, { after: first.next! });
    expect(second.rows[0]!.domain > first.rows.at(-1)!.domain).toBe(true);
  });

  test("block links to them and their subdomains in all texts of members, naming the domain", async () => {
    const { ada, mira, tomas, discussion } = await setUp();
    await save(ada, "bücher.example", "block", "They advertise.");
    const refusal = (field: string) => ({
      fields: {
        [field]: "Links to bücher.example are blocked on this site. They advertise. Leave the link out.",
      },
    });
    const body = "[Books](https://shop.xn--bcher-kva.example/a)";
    await expect(sendReply(mira, discussion.id, { body })).rejects.toMatchObject(refusal("body"));
    const { id: resourceId } = await createTestDocument(tomas);
    await expect(
      within((tx) => addComment(tx, mira, NewComment.parse({ resourceId, body }))),
    ).rejects.toMatchObject(refusal("body"));
    await expect(
      within((tx) => addLink(tx, mira, NewLink.parse({ url: "https://bücher.example/", title: "Books" }))),
    ).rejects.toMatchObject(refusal("url"));
    await expect(
      within((tx) => startConversation(tx, mira, NewConversation.parse({ to: "tomas", body }))),
    ).rejects.toMatchObject(refusal("body"));
    const fields = [{ label: "Web", value: "www.bücher.example", audience: "everyone" as const }];
    await expect(within((tx) => updateProfile(tx, mira, mira.id, { fields }))).rejects.toMatchObject(
      refusal("fields"),
    );
    expect(await sendReply(ada, discussion.id, { body })).toHaveProperty("number");
    expect(await sendReply(mira, discussion.id, { body: "https://b.example" })).toHaveProperty("number");
  });

  test("hold a text for approval with the reason, and refuse it where it cannot wait", async () => {
    const { ada, mira, elsa, discussion } = await setUp();
    const post = await createTestReply(database, mira, discussion.id, { body: "See https://casino.example" });
    await save(ada, "casino.example", "approve", "We check offers.");
    await save(ada, "poker.example", "approve");
    const edit = (body: string, version: number) =>
      within((tx) => editPost(tx, mira, PostEdit.parse({ postId: post.id, body, version })));
    await expect(edit("See https://casino.example/a", 1)).resolves.toBeDefined();
    await expect(edit("See https://poker.example", 2)).rejects.toMatchObject({
      fields: { body: /poker.example need approval, which is not possible/ },
    });
    expect(await sendReply(mira, discussion.id, { body: "https://casino.example" })).toHaveProperty("waits");
    const approvalReason = { kind: "link", domain: "casino.example", explanation: "We check offers." };
    expect(await listOwnPendingPosts(db, mira)).toMatchObject([{ approvalReason }]);
    expect((await listPendingPosts(db, elsa)).rows).toMatchObject([{ approvalReason }]);
  });
});

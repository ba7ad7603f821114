import { describe, expect, test } from "vitest";
import { archiveGroup } from "#community/groups";
import { many, one, sql } from "#platform/database";
import { createTestGroup, createTestUsers, setMembership } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createWebhookSetup } from "../../../test/support/webhooks/webhook-setup.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  resendDelivery,
  resumeWebhook,
  rotateWebhookSecret,
  sendTestDelivery,
  WebhookForm,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;
const { app, hook } = createWebhookSetup(database);
const FORM = { name: "Chat", url: "https://chat.example.org/in", events: ["post.created"] };
const form = (more: object = {}) => WebhookForm.parse({ ...FORM, ...more });

describe("webhook of a group", () => {
  test("can be managed only by owners of an active group", async () => {
    const people = await createTestUsers(database);
    const { tomas, mira, ines, ada, noor, guest } = people;
    const { id: groupId } = await createTestGroup(database, people);
    const { id: webhookId } = await hook(tomas, groupId, ["post.created"]);
    const target = { groupId, webhookId };
    const deliveryId = (await within((tx) => sendTestDelivery(tx, tomas, target))).id;
    for (const viewer of [mira, ines, ada, noor, guest])
      for (const act of [
        () => listWebhooks(db, viewer, { groupId }),
        () => getWebhook(db, viewer, { groupId }, webhookId),
        () => listDeliveries(db, viewer, { groupId }, { webhookId }),
        () => getDelivery(db, viewer, { groupId }, { webhookId, deliveryId }),
        () => within((tx) => createWebhook(tx, app.sealer, viewer, { ...form(), groupId })),
        () => within((tx) => changeWebhook(tx, viewer, { ...form(), ...target })),
        () => within((tx) => rotateWebhookSecret(tx, app.sealer, viewer, target)),
        () => within((tx) => pauseWebhook(tx, viewer, target)),
        () => within((tx) => resumeWebhook(tx, viewer, target)),
        () => within((tx) => sendTestDelivery(tx, viewer, target)),
        () => within((tx) => resendDelivery(tx, viewer, { ...target, deliveryId })),
        () => within((tx) => deleteWebhook(tx, viewer, target)),
      ])
        await expect(act()).rejects.toMatchObject({
          reason: viewer === guest ? "not-signed-in" : "not-allowed",
        });
    expect(await listWebhooks(db, tomas, { groupId })).toMatchObject([{ id: webhookId, name: "Chat" }]);
    // A webhook of another group or of the site is not found, even by its id.
    const other = await createTestGroup(database, people, { name: "Compost" });
    for (const scope of [{ groupId: other.id }, { groupId: null }])
      await expect(getWebhook(db, scope.groupId ? tomas : ada, scope, webhookId)).rejects.toMatchObject({
        reason: "not-found",
      });
    await within((tx) => archiveGroup(tx, tomas, { groupId, reason: "Over." }));
    await expect(listWebhooks(db, tomas, { groupId })).rejects.toMatchObject({ reason: "not-allowed" });
  });

  test("has a secret that is stored encrypted and returned once", async () => {
    const people = await createTestUsers(database);
    const { id: groupId } = await createTestGroup(database, people);
    const { id: webhookId, secret } = await hook(people.tomas, groupId, ["post.created"]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { row } = await one(db, sql<{ row: string }>`select encode(secret, 'escape') as row from webhooks`);
    expect(row).not.toContain(secret.slice(6, 20));
    const read = JSON.stringify([
      await getWebhook(db, people.tomas, { groupId }, webhookId),
      await listWebhooks(db, people.tomas, { groupId }),
    ]);
    expect(read).not.toContain("whsec_");
    expect(
      await many(db, sql`select act, object_kind, object_id from audit_events where act like 'webhook%'`),
    ).toEqual([{ act: "webhook.created", object_kind: "group", object_id: groupId }]);
  });

  test("belongs to the owner who saved it last", async () => {
    const people = await createTestUsers(database);
    const { id: groupId } = await createTestGroup(database, people);
    await within((tx) => setMembership(tx, groupId, people.mira, "owner"));
    const { id: webhookId } = await hook(people.tomas, groupId, ["post.created"]);
    await within((tx) =>
      changeWebhook(tx, people.mira, { ...form({ tags: "#Beans, beans" }), groupId, webhookId }),
    );
    expect(await getWebhook(db, people.tomas, { groupId }, webhookId)).toMatchObject({
      owner: { id: people.mira.id },
      url: FORM.url,
      tags: ["beans"],
    });
  });
});

describe("webhook of the site", () => {
  test("can be managed only by admins, for groups that they may see", async () => {
    const people = await createTestUsers(database);
    const { ada, ines, tomas } = people;
    const open = await createTestGroup(database, people);
    const hidden = await createTestGroup(database, people, { name: "Night Owls", visibility: "secret" });
    const site = { groupId: null };
    const create = (viewer: typeof ada, more: object) =>
      within((tx) => createWebhook(tx, app.sealer, viewer, { ...form(more), ...site }));
    for (const viewer of [ines, tomas])
      await expect(create(viewer, {})).rejects.toMatchObject({ reason: "not-allowed" });
    await expect(create(ada, { groups: hidden.slug })).rejects.toMatchObject({
      fields: { groups: `There is no group with the address “${hidden.slug}”.` },
    });
    const { id } = await create(ada, { groups: `${open.slug}, ` });
    expect(await getWebhook(db, ada, site, id)).toMatchObject({ groups: [{ id: open.id }] });
  });
});

test("webhook form refuses invalid values with an error at the field", () => {
  for (const [field, value] of [
    ["url", "ftp://chat.example.org"],
    ["url", "https://chat.example.org:8443/in"],
    ["url", "https://me:secret@chat.example.org"],
    ["url", "chat"],
    ["url", ""],
    ["events", []],
    ["events", undefined],
    ["events", ["message.created"]],
    ["name", " "],
    ["name", "x".repeat(61)],
    ["tags", Array.from({ length: 21 }, (_, n) => `t${n}`).join()],
  ] as const) {
    const { error } = WebhookForm.safeParse({ ...FORM, [field]: value });
    expect([field, value, error?.issues[0]?.path[0]]).toEqual([field, value, field]);
  }
});

test("limit is ten webhooks per group", async () => {
  const people = await createTestUsers(database);
  const { id: groupId } = await createTestGroup(database, people);
  const create = () => within((tx) => createWebhook(tx, app.sealer, people.tomas, { ...form(), groupId }));
  for (let n = 0; n < 10; n++) await create();
  await expect(create()).rejects.toMatchObject({ reason: "conflict" });
});

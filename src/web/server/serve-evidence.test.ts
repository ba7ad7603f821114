import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { maybeOne, one, run, sql } from "#platform/database";
import { createHttpServer } from "#platform/http";
import { createLog } from "#platform/log";
import { createFolderStorage } from "#platform/storage";
import { createProfilePictureStore } from "#community/accounts";
import { storePicture } from "#community/common";
import {
  acceptConversation,
  addMessagePicture,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { deletePost } from "#community/discussions";
import {
  appealRemoval,
  getEvidenceFile,
  NewRemovalAppeal,
  reportMessages,
  reportPerson,
} from "#community/moderation";
import type { SignedIn, Viewer } from "#community/rules";
import { deleteUnusedBytes, purgeReportFiles } from "#community/uploads";
import { startNamedSessions } from "../../../test/support/accounts/named-sessions.ts";
import { createReportSetup } from "../../../test/support/moderation/report-setup.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestReply, setMembership } from "../../../test/support/test-users.ts";
import type { WebContext } from "../web-context.ts";
import { serveFiles } from "./serve-files.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const { report, view, resolve, setupReportedPost } = createReportSetup(database);
const folder = await mkdtemp(join(tmpdir(), "kith-evidence-"));
const storage = createFolderStorage(folder);
const app = {
  database,
  db,
  storage,
  now: () => clock.at,
  settings: { get: async () => ({ audience: "public" }) },
};
const server = createHttpServer({ log: createLog("silent"), trustProxy: false });
await serveFiles(server, app as unknown as WebContext);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const bytes = (background = "teal") =>
  sharp({ create: { width: 40, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
const hashOf = async (id: string) =>
  (await one(db, sql<{ hash: string }>`select hash from uploads where id = ${id}`)).hash;
/** Deletes the upload, as the purge of deleted content does. */
async function purgeUpload(id: string, hash: string) {
  await run(db, sql`delete from uploads where id = ${id}`);
  await deleteUnusedBytes(app, hash);
}
const filesOf = async (viewer: Viewer, reportId: string) =>
  (await view(viewer, reportId)).messages.flatMap(({ files }) => files);
const open = (viewer: Viewer, id: string) => within((tx) => getEvidenceFile(tx, viewer, id));

/** Noor's post with a picture, reported by Mira. Tomas moderates the group. */
async function reportPicture() {
  const at = await setupReportedPost();
  const { mira, tomas, noor, ines } = at;
  await startNamedSessions(database, { mira, tomas, noor, ines });
  const picture = await storePicture(app, at.noor, await bytes());
  const post = await createTestReply(database, at.noor, at.discussion.id, {
    body: `Look. ![Beans & "peas"](${picture.address})`,
  });
  const hash = await hashOf(picture.id);
  const { id: reportId } = await report(at.mira, post.id);
  return { ...at, post, picture, hash, reportId };
}

test("picture of a reported post opens for the readers of its case only, also after the author deleted it", async () => {
  const { noor, tomas, post, picture, hash, reportId } = await reportPicture();
  await within((tx) => deletePost(tx, noor, { postId: post.id }));
  await purgeUpload(picture.id, hash);
  const [file, ...others] = await filesOf(tomas, reportId);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ mime: "image/webp", alt: 'Beans & "peas"', width: 40, height: 20 });
  const status = async (as: string | null, id = file!.id) =>
    (
      await server.inject({
        url: `/files/evidence/${id}`,
        headers: as ? { cookie: `kith_session=${as}` } : {},
      })
    ).statusCode;
  expect([await status("tomas"), await status("ines")]).toEqual([200, 200]);
  // The reporter, the author and a guest read no case.
  expect([await status("mira"), await status("noor"), await status(null)]).toEqual([404, 404, 404]);
  expect([await status("tomas", picture.id), await status("tomas", "nonsense")]).toEqual([404, 404]);
  const answer = await server.inject({
    url: `/files/evidence/${file!.id}`,
    headers: { cookie: "kith_session=tomas" },
  });
  expect(answer.headers).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "private, max-age=3600",
  });
});

test("reporter and author do not open the files, even once they are moderators", async () => {
  const { mira, noor, tomas, group, reportId } = await reportPicture();
  const [file] = await filesOf(tomas, reportId);
  for (const who of [mira, noor]) await within((tx) => setMembership(tx, group.id, who, "moderator"));
  for (const who of [mira, noor])
    await expect(open(who, file!.id)).rejects.toMatchObject({ reason: "not-found" });
});

test("files are erased a year after the decision, with their bytes", async () => {
  const { noor, tomas, picture, hash, post, reportId } = await reportPicture();
  await within((tx) => deletePost(tx, noor, { postId: post.id }));
  await purgeUpload(picture.id, hash);
  const [file] = await filesOf(tomas, reportId);
  await resolve(tomas, reportId, "upheld");
  clock.pass(365 * DAY);
  expect(await purgeReportFiles(app)).toBe(0);
  expect(await storage.sizeOf(hash)).not.toBeNull();
  clock.pass(DAY);
  expect(await purgeReportFiles(app)).toBe(1);
  expect(await storage.sizeOf(hash)).toBeNull();
  await expect(open(tomas, file!.id)).rejects.toMatchObject({ reason: "not-found" });
  expect(await filesOf(tomas, reportId)).toEqual([]);
});

test("files of a deleted report are erased, but not bytes that an upload uses", async () => {
  const { hash, reportId } = await reportPicture();
  await run(db, sql`delete from reports where id = ${reportId}`);
  expect(await purgeReportFiles(app)).toBe(1);
  expect(await maybeOne(db, sql`select from report_files`)).toBeUndefined();
  expect(await storage.sizeOf(hash)).not.toBeNull();
});

test("addresses of files that are not part of the post are not stored", async () => {
  const { mira, noor, tomas, discussion } = await setupReportedPost();
  const foreign = await storePicture(app, tomas, await bytes("navy"));
  const post = await createTestReply(database, noor, discussion.id, {
    body: `[see](${foreign.address}) ![x](${foreign.address})`,
  });
  const { id } = await report(mira, post.id);
  expect(await filesOf(tomas, id)).toEqual([]);
});

test("appeal keeps the picture of the removed post", async () => {
  const { noor, tomas, ines, picture, reportId, post } = await reportPicture();
  await resolve(tomas, reportId, "removed", "No shops.");
  const { id } = await within((tx) =>
    appealRemoval(tx, noor, NewRemovalAppeal.parse({ postId: post.id, text: "They are free." })),
  );
  await purgeUpload(picture.id, await hashOf(picture.id));
  const [file] = await filesOf(ines, id);
  expect(await open(ines, file!.id)).toMatchObject({ mime: "image/webp", open: false });
});

test("report of messages stores the pictures of the selected ones only", async () => {
  const { mira, tomas, ines } = await setupReportedPost();
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id: conversationId } = await within((tx) =>
    startConversation(tx, tomas, { to: ["mira"], name: "", body: "Hello." }),
  );
  await within((tx) => acceptConversation(tx, mira, { conversationId }));
  const send = async (who: SignedIn, background: string) => {
    const { address } = await addMessagePicture(app, who, conversationId, await bytes(background));
    return within((tx) => sendMessage(tx, who, { conversationId, body: `![${background}](${address})` }));
  };
  await send(tomas, "red");
  const chosen = await send(tomas, "blue");
  const { id } = await within((tx) =>
    reportMessages(tx, mira, { conversationId, messageIds: [chosen.id], reason: "Stop." }),
  );
  expect((await filesOf(ines, id)).map(({ alt }) => alt)).toEqual(["blue"]);
});

test("report of a person stores the pictures that the reporter sees", async () => {
  const { mira, noor, ines } = await setupReportedPost();
  const pictures = createProfilePictureStore(app);
  await pictures.setPhoto(noor, noor.id, { bytes: await bytes(), alt: "Noor in the garden" });
  await pictures.setHeader(noor, noor.id, { bytes: await bytes("navy") });
  await run(db, sql`update people set privacy = '{"profile":"friends"}' where id = ${noor.id}`);
  const { id } = await within((tx) => reportPerson(tx, mira, { personId: noor.id, reason: "Not a person." }));
  expect((await filesOf(ines, id)).map(({ alt }) => alt)).toEqual(["Noor in the garden"]);
});

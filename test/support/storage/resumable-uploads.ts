import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { afterAll, beforeEach } from "vitest";
import { openSettings } from "#community/settings";
import { maybeOne, sql } from "#platform/database";
import { toEnglish } from "#platform/messages";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { TooLargeToScan, ScannerUnavailable } from "#platform/scanner";
import { createFolderStorage } from "#platform/storage";
import { createTestUsers, type TestUsers } from "../test-users.ts";
import { testDatabase } from "../setup/test-database.ts";
import type { WebContext } from "../../../src/web/web-context.ts";
import { serveFiles } from "../../../src/web/server/serve-files.ts";
import { serveResumableUploads } from "../../../src/web/server/resumable-uploads.ts";
import { startNamedSessions } from "../accounts/named-sessions.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-incoming-"));
export const storage = createFolderStorage(folder);
export const settings = openSettings(database);
export let people: TestUsers;
/**
 * The scanner's result for every file: the name of a virus, null for none, "away" when it is unavailable,
 * "beyond" when the file is too large.
 */
let scanVerdict: string | null = null;

export const app = {
  database,
  db,
  storage,
  settings,
  limits: new Limits(),
  log: createLog("silent"),
  origin: () => "http://localhost",
  now: () => database.clock.at,
} as unknown as WebContext;
/** Starts a server with these routes and returns its address. */
async function startServer() {
  const server = createHttpServer({ log: app.log, trustProxy: false });
  await serveFiles(server, app);
  await serveResumableUploads(server, app, async (locale, message) =>
    locale === "en" ? toEnglish(message) : `${locale}: ${toEnglish(message)}`,
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}
afterAll(() => rm(folder, { recursive: true }));
export const origin = await startServer();
/** Address of a second server, which acts as another process. */
export const secondOrigin = await startServer();
beforeEach(async () => {
  people = await createTestUsers(database);
  await startNamedSessions(database, people);
  settings.forget();
  await rm(join(folder, "pieces"), { recursive: true, force: true });
  app.limits = new Limits();
  app.scanner = null;
});
export const enableScanner = (verdict: typeof scanVerdict) => {
  scanVerdict = verdict;
  app.scanner = {
    scan: async () => {
      if (scanVerdict === "away") throw new ScannerUnavailable("away");
      if (scanVerdict === "beyond") throw new TooLargeToScan("beyond");
      return { found: scanVerdict };
    },
  };
};

type RequestUser = "mira" | "tomas" | "noor" | null;
const TUS_HEADERS = { "tus-resumable": "1.0.0" };
export const sendRequest = (
  method: string,
  path: string,
  as: RequestUser,
  headers: Record<string, string> = {},
  body?: Buffer | ReadableStream,
  at = origin,
) =>
  fetch(`${at}${path}`, {
    method,
    headers: { ...TUS_HEADERS, ...(as && { cookie: `kith_session=${as}` }), ...headers },
    ...(body && { body, duplex: "half" }),
  } as RequestInit);
const fileNameHeader = (name: string) => ({
  "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
});
export const createUpload = (as: RequestUser, size: number | string, name = "plan.txt") =>
  sendRequest("POST", "/uploads/files", as, { "upload-length": String(size), ...fileNameHeader(name) });
export const appendBytes = (
  path: string,
  as: RequestUser,
  offset: number,
  bytes: Buffer | ReadableStream,
  at = origin,
) =>
  sendRequest(
    "PATCH",
    path,
    as,
    { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
    bytes,
    at,
  );

/** Uploads a file as the browser does. Resolves with its id, or rejects with the message of the refusal. */
export const uploadFile = (as: RequestUser, bytes: Buffer, fileName: string): Promise<string> =>
  new Promise((done) => {
    const upload = new Upload(bytes, {
      endpoint: `${origin}/uploads/files`,
      metadata: { filename: fileName },
      headers: { cookie: `kith_session=${as}` },
      chunkSize: 400_000,
      retryDelays: [],
      onSuccess: () => done(upload.url!.split("/").at(-1)!),
      onError: (error) =>
        done("originalResponse" in error ? (error.originalResponse?.getBody() ?? "") : error.message),
    });
    upload.start();
  });
export const findStoredFile = (id: string) =>
  maybeOne(
    db,
    sql<{ name: string; mime: string; size: number; state: string; hash: string }>`
    select file_name as name, mime, size::float8 as size, state, hash from uploads where id = ${id}`,
  );
export const fileStatus = async (id: string, as: RequestUser) =>
  (await sendRequest("GET", `/files/${id}`, as)).status;
export const listPieces = () => readdir(join(folder, "pieces")).catch(() => []);

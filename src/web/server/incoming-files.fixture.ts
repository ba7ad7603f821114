import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { afterAll, beforeEach } from "vitest";
import { openSettings } from "#community/settings";
import { maybeOne, sql } from "#platform/database";
import { openHttp } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { BeyondScanner, ScannerAway } from "#platform/scanner";
import { openFolder } from "#platform/storage";
import { cast, type Cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import type { House } from "../house.ts";
import { serveFiles } from "./files.ts";
import { serveIncomingFiles } from "./incoming-files.ts";

export const database = await testDatabase();
export const { db, inTransaction: within } = database;
const folder = await mkdtemp(join(tmpdir(), "kith-incoming-"));
export const storage = openFolder(folder);
export const settings = openSettings(database);
export let people: Cast;
/** Verdict of the scanner, if there is one. */
let verdict: string | null = null;

export const house = {
  database,
  db,
  storage,
  settings,
  limits: new Limits(),
  log: openLog("silent"),
  origin: () => "http://localhost",
  accounts: { sessionFor: async (token: string) => (token in people ? { viewer: people[token as "mira"] } : null) },
} as unknown as House;
/** Starts a server with these routes and returns its address. */
async function opened() {
  const server = openHttp({ log: house.log, trustProxy: false });
  await serveFiles(server, house);
  await serveIncomingFiles(server, house, async (locale, sentence) => (locale === "en" ? sentence : `${locale}: ${sentence}`));
  await server.listen({ port: 0, host: "127.0.0.1" });
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}
afterAll(() => rm(folder, { recursive: true }));
export const origin = await opened();
/** Stands for another process. */
export const elsewhere = await opened();
beforeEach(async () => {
  people = await cast(database);
  settings.forget();
  await rm(join(folder, "pieces"), { recursive: true, force: true });
  house.limits = new Limits();
  house.scanner = null;
});
export const withScanner = (says: typeof verdict) => {
  verdict = says;
  house.scanner = {
    scan: async () => {
      if (verdict === "away") throw new ScannerAway("away");
      if (verdict === "beyond") throw new BeyondScanner("beyond");
      return { found: verdict };
    },
  };
};

type Who = "mira" | "tomas" | "noor" | null;
const TUS = { "tus-resumable": "1.0.0" };
export const ask = (
  method: string,
  path: string,
  as: Who,
  headers: Record<string, string> = {},
  body?: Buffer | ReadableStream,
  at = origin,
) =>
  fetch(`${at}${path}`, {
    method,
    headers: { ...TUS, ...(as && { cookie: `kith_session=${as}` }), ...headers },
    ...(body && { body, duplex: "half" }),
  } as RequestInit);
const named = (name: string) => ({ "upload-metadata": `filename ${Buffer.from(name).toString("base64")}` });
export const begin = (as: Who, size: number | string, name = "plan.txt") =>
  ask("POST", "/uploads/files", as, { "upload-length": String(size), ...named(name) });
export const append = (path: string, as: Who, offset: number, bytes: Buffer | ReadableStream, at = origin) =>
  ask("PATCH", path, as, { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" }, bytes, at);

/** Uploads a file as the browser does. Resolves to its id, or rejects with the message of the refusal. */
export const send = (as: Who, bytes: Buffer, fileName: string): Promise<string> =>
  new Promise((done) => {
    const upload = new Upload(bytes, {
      endpoint: `${origin}/uploads/files`,
      metadata: { filename: fileName },
      headers: { cookie: `kith_session=${as}` },
      chunkSize: 400_000,
      retryDelays: [],
      onSuccess: () => done(upload.url!.split("/").at(-1)!),
      onError: (error) => done("originalResponse" in error ? (error.originalResponse?.getBody() ?? "") : error.message),
    });
    upload.start();
  });
export const stored = (id: string) =>
  maybeOne(
    db,
    sql<{ name: string; mime: string; size: number; state: string; hash: string }>`
    select file_name as name, mime, size::float8 as size, state, hash from uploads where id = ${id}`,
  );
export const seen = async (id: string, as: Who) => (await ask("GET", `/files/${id}`, as)).status;
export const pieces = () => readdir(join(folder, "pieces")).catch(() => []);

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { TooLargeToScan, type Scanner, ScannerUnavailable } from "#platform/scanner";
import { testDatabase } from "../setup/test-database.ts";
import { APP, CLIENT, startTestApi, type TestRestApi, SERVER } from "./rest-server.ts";
import { createTestFileStore } from "./file-store.ts";

/** Setup for tests of uploads and downloads: an API with a scanner, and requests. */
export const database = await testDatabase();
const storeFolder = mkdtempSync(join(tmpdir(), "kith-sending-"));
export const INFECTED_BYTES = "EVIL-BYTES";
export const UNSCANNABLE_BYTES = "LARGE-BYTES";
export const scannerState = { isHere: true };
/** A scanner that rejects certain bytes as harmful or as too large to scan, and can be made unavailable. */
const scanner: Scanner = {
  async scan(from) {
    const bytes = await buffer(from);
    if (!scannerState.isHere) throw new ScannerUnavailable("The scanner cannot be reached.");
    if (bytes.includes(UNSCANNABLE_BYTES)) throw new TooLargeToScan("INSTREAM size limit exceeded. ERROR");
    return { found: bytes.includes(INFECTED_BYTES) ? "Test.Evil-1" : null };
  },
};
export let testApi: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database);
  testApi.app.files = createTestFileStore(database, testApi.app.settings, storeFolder, { scanner });
});
beforeEach(async () => {
  testApi.forget();
  scannerState.isHere = true;
  await testApi.set({ apiCalls: 0 });
});
beforeEach(() => rmSync(storeFolder, { recursive: true, force: true }));
afterAll(async () => {
  await testApi.close();
  rmSync(storeFolder, { recursive: true, force: true });
});

export const fileUrl = (path: string, key = SERVER) => `${testApi.origin()}/${APP}/${key}/files/${path}`;
export const createFileForm = (content: string | Blob, name = "a.txt") => {
  const sent = new FormData();
  sent.append("file", typeof content === "string" ? new Blob([content]) : content, name);
  return sent;
};
export const FORM_WITHOUT_FILE = new FormData();
FORM_WITHOUT_FILE.append("note", "x");
export const postFile = (path: string, body: BodyInit, more: RequestInit = {}) =>
  fetch(fileUrl(path), { method: "POST", body, ...more });
export const putFile = (
  path: string,
  body: string,
  headers: Record<string, string> = { "content-type": "text/plain" },
) => fetch(fileUrl(path), { method: "PUT", body, headers });
export const getFile = (path: string, headers: Record<string, string> = {}) =>
  fetch(fileUrl(path, CLIENT), { headers });
export const countStoredFiles = () =>
  (existsSync(storeFolder) ? readdirSync(storeFolder, { recursive: true, withFileTypes: true }) : []).filter(
    (it) => it.isFile(),
  ).length;

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findSystemAccount, SERVICE_ACCOUNTS } from "./system-accounts.ts";
import { setUpEmbeddedTests, queryServer } from "../../../test/support/postgres/embedded-postgres.ts";

const { folder, start } = setUpEmbeddedTests();
const path = process.env["PATH"];
afterEach(() => void (process.env["PATH"] = path));

/** Simulates a machine without user namespaces: `unshare` is not found. */
const refuseNamespaces = () => void (process.env["PATH"] = "/nowhere");

const uidOf = (dataDir: string) => statSync(join(dataDir, "cluster", "PG_VERSION")).uid;

describe.runIf(process.getuid?.() === 0 && process.platform === "linux")(
  "embedded PostgreSQL under root",
  () => {
    test("leaves root as the owner of files where user namespaces exist", async () => {
      const dataDir = folder("namespace");
      await start(dataDir);
      expect(uidOf(dataDir)).toBe(0);
    });

    test("runs as a service account without namespaces, and still does once they exist", async () => {
      const dataDir = folder("service");
      mkdirSync(dataDir, { mode: 0o755 });
      await (await start(dataDir)).stop();
      refuseNamespaces();
      const embedded = await start(dataDir);
      expect(await queryServer(embedded, "select 1")).toEqual([1]);
      expect(uidOf(dataDir)).toBe(findSystemAccount(SERVICE_ACCOUNTS).uid);
      await embedded.stop();
      process.env["PATH"] = path;
      expect(await queryServer(await start(dataDir), "select 1")).toEqual([1]);
      expect(uidOf(dataDir)).toBe(findSystemAccount(SERVICE_ACCOUNTS).uid);
    });

    test("does not mistake an unreachable database for a missing one", async () => {
      const dataDir = folder("out-of-reach");
      await (await start(dataDir)).stop();
      refuseNamespaces();
      await expect(start(dataDir)).rejects.toMatchObject({
        code: "cannot-start",
        message: expect.stringContaining("no other user can enter"),
      });
    });
  },
);

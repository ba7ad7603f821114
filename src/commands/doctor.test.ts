import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { examineInstallation } from "./doctor.ts";
import { examineEmbedded } from "./doctor/check-database.ts";
import { formatFindings } from "./doctor/finding.ts";
import { examineNode } from "./doctor/check-machine.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "kith-doctor-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = async (given: Record<string, string>) =>
  formatFindings(await examineInstallation({ KITH_DATA: folder, PORT: "0", ...given }));

function listening(): Promise<{ server: Server; port: string }> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end());
    server.listen(0, "127.0.0.1", () =>
      resolve({ server, port: String((server.address() as { port: number }).port) }),
    );
  });
}

describe("doctor", () => {
  test("finds nothing wrong on a machine where Kith never ran", async () => {
    const findings = await examineInstallation({ KITH_DATA: join(folder, "new"), PORT: "0" });
    expect(findings.filter(({ state }) => state === "wrong")).toEqual([]);
    expect(formatFindings(findings)).toMatch(/^note {3}Data folder {4}.*does not exist yet/m);
  });

  test("lists variables without their values", async () => {
    const text = await report({
      KITH_SERVER_KEY: "a-very-secret-server-key",
      SMTP_URL: "smtp://me:hush-hush@127.0.0.1:1",
    });
    expect(text).toContain("KITH_DATA, KITH_SERVER_KEY, PORT, SMTP_URL");
    expect(text).not.toMatch(/very-secret|hush-hush/);
  });

  test("reports all invalid variables at once", async () => {
    const text = await report({ PORT: "many", LOG_LEVEL: "loud" });
    expect(text).toContain("PORT must be a number.");
    expect(text).toContain("LOG_LEVEL must be a level");
  });

  test("reports a variable that is missing although another variable requires it", async () => {
    expect(await report({ OIDC_WORK_ISSUER: "https://id.example.org" })).toContain(
      "OIDC_WORK_CLIENT_ID must be set",
    );
  });

  test("reports an unreachable server", async () => {
    const text = await report({ DATABASE_URL: "postgres://kith:hush-hush@127.0.0.1:1/kith" });
    expect(text).toMatch(/^wrong {2}Database .*DATABASE_URL: the server cannot be used \(.*ECONNREFUSED/m);
    expect(text).not.toContain("hush-hush");
  });

  test("reports that the port is in use and that the mail server can be reached", async () => {
    const { server, port } = await listening();
    const text = await report({ PORT: port, SMTP_URL: `smtp://127.0.0.1:${port}` });
    server.close();
    expect(text).toContain(`127.0.0.1:${port} is in use by another program.`);
    expect(text).toContain("The server in SMTP_URL can be reached.");
  });

  test("reports a missing mail folder, and a sender address at localhost", async () => {
    const text = await report({ MAIL_IN_FOLDER: join(folder, "no-mail"), SMTP_URL: "smtp://127.0.0.1:1" });
    expect(text).toMatch(/^wrong {2}Mail in .*cannot be read and removed \(.*ENOENT/m);
    expect(text).toContain("The sender is an address at localhost.");
    expect(await report({ MAIL_IN_FOLDER: folder })).toMatch(/^ok {5}Mail in .*is readable and writable/m);
  });

  test("reports a database of another version, and a folder that contains other files", async () => {
    mkdirSync(join(folder, "cluster"));
    writeFileSync(join(folder, "cluster", "PG_VERSION"), "9\n");
    expect(await report({})).toMatch(/^wrong {2}Cluster .*Created by PostgreSQL 9; this Kith comes with \d/m);
    rmSync(join(folder, "cluster", "PG_VERSION"));
    writeFileSync(join(folder, "cluster", "holiday.jpg"), "");
    expect(await report({})).toContain("contains other files than a database");
  });

  test("reports a missing or broken PostgreSQL for this platform", () => {
    expect(examineEmbedded(null, folder)).toMatchObject([{ state: "wrong" }]);
    expect(examineEmbedded(folder, folder)).toMatchObject([{ state: "wrong" }]);
  });

  test("checks for the required Node version", () => {
    expect(examineNode("25.9.9").state).toBe("wrong");
    expect(examineNode("26.0.0").state).toBe("ok");
    expect(examineNode("100.0.0").state).toBe("ok");
  });
});

import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

/** A unique logger name, so that no other test writes to it. */
const logger = () => `garden ${randomUUID().slice(0, 8)}`;
const write = (page: Page, ...lines: object[]) =>
  page.request.put("/api/log", {
    data: lines.map((line) => ({ "log-level": "INFO", timestamp: Date.now(), ...line })),
  });

test("an admin finds and tails log entries of API clients", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  const name = logger();
  await write(
    page,
    { logger: name, message: "The pump runs" },
    {
      logger: name,
      message: "The hose leaks",
      "log-level": "ERROR",
      exception: "at hose.ts:7\nat garden.ts:9",
    },
  );
  await signInAs("ada");
  await page.goto("/admin");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Logs" }),
  );
  const main = page.getByRole("main");
  await main.getByLabel("Logger").selectOption(name);
  await main.getByRole("button", { name: "Search" }).click();
  const lines = main.getByRole("listitem");
  await expect(lines).toHaveCount(2);
  await lines.first().getByText("Stack").click();
  await expect(lines.first()).toContainText("at garden.ts:9");
  await accessible();
  await expect(main.locator("[data-listening]")).toBeVisible();
  await write(page, { logger: name, message: "The hose is mended" });
  await expect(lines).toHaveCount(3);
  await expect(lines.first()).toContainText("The hose is mended");
  await main.getByRole("button", { name: "Pause" }).click();
  await expect(main.getByText("The log is paused.")).toBeVisible();
  await write(page, { logger: name, message: "unseen" });
  await main.getByLabel("Level").selectOption("ERROR");
  await main.getByLabel("Words").fill("hose");
  await main.getByRole("button", { name: "Search" }).click();
  await expect(lines).toHaveCount(1);
  await main.getByLabel("Words").fill("pump");
  await main.getByRole("button", { name: "Search" }).click();
  await expect(main.getByText("No matching entries.")).toBeVisible();
  await accessible();
  await followLink(main.getByRole("link", { name: "Show all" }));
  await expect(lines.filter({ hasText: "unseen" }).filter({ hasText: name })).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test("a page error is logged with build and route, without its address", async ({
  page,
  signInAs,
  another,
}) => {
  const mark = `broken ${randomUUID().slice(0, 8)}`;
  await signInAs("mira");
  await page.goto("/groups/chain-and-spoke?secret=1");
  const reported = page.waitForRequest((request) => request.url().endsWith("/api/log"));
  await page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(`${message} for mira@example.org`);
    });
  }, mark);
  await reported;
  const admin = await another("ada");
  await expect(async () => {
    await admin.goto(`/admin/logs?search=${encodeURIComponent(mark)}`);
    await expect(admin.getByRole("main").getByRole("listitem")).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  const line = admin.getByRole("main").getByRole("listitem");
  await expect(line).toContainText("/groups/:groupId");
  await expect(line).toContainText("for …@…");
  await expect(line).not.toContainText("chain-and-spoke");
  await line.getByText("Stack").click();
  await expect(line.getByText(/^Build \w+/)).toBeVisible();
});

test("moderators get 404 for logs", async ({ page, signInAs }) => {
  await signInAs("ines");
  expect((await page.goto("/admin/logs"))?.status()).toBe(404);
  expect((await page.request.get("/admin/logs/now")).status()).toBe(404);
});

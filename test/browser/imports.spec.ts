import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

const AT = "2015-03-01T08:00:00Z";
/** A separate archive for each mode: content that was imported is not imported again. */
const archive = (name: string) =>
  [
    { type: "format", name: "community-ndjson", version: 1 },
    { type: "user", id: "anna", username: `anna-${name}`, name: "Anna of Before", createdAt: AT },
    {
      type: "group",
      id: "g",
      name: `The ${name} cellar`,
      visibility: "public",
      joinPolicy: "open",
      createdAt: AT,
      oldPaths: [`/c/${name}`],
    },
    {
      type: "discussion",
      id: "d",
      group: "g",
      author: "anna",
      title: "Where the jars stand",
      createdAt: AT,
      oldPaths: [`/cellar/${name}`],
    },
    {
      type: "post",
      id: "p",
      discussion: "d",
      author: "anna",
      body: "On the left, behind the door.",
      createdAt: AT,
      oldPaths: [`/cellar/${name}/1`],
    },
    {
      type: "event",
      id: "e",
      group: "g",
      host: "anna",
      post: "p",
      title: "Opening the jars",
      timeZone: "Europe/Berlin",
      startsAt: "2015-04-01T08:00:00Z",
      endsAt: "2015-04-01T10:00:00Z",
      createdAt: AT,
    },
    { type: "attendance", event: "e", user: "anna", answer: "going", createdAt: AT },
    { type: "post", id: "q", discussion: "d", author: "nobody", body: "Nobody said this.", createdAt: AT },
  ]
    .map((record) => JSON.stringify(record))
    .join("\n");

/**
 * Waits until a job has reached this state. With scripts the page updates itself, without scripts by a link.
 */
async function until(page: Page, words: string) {
  await expect(async () => {
    const again = page.getByRole("link", { name: "Refresh" });
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(page.getByRole("status").getByText(words, { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 25_000 });
}

/** Chooses the source community where that is asked: other tests may import at the same time. */
async function choosePlace(page: Page, place: string | RegExp) {
  const same = page.getByLabel("Have you imported from the same source before?");
  if (await same.isVisible())
    await same.selectOption(await same.getByRole("option", { name: place }).getAttribute("value"));
}
const NEW = "No, this is a new source";

async function send(page: Page, archiveOf: string, fileName: string, place: string | RegExp) {
  await page.getByLabel("Kind of archive").selectOption("ndjson");
  await choosePlace(page, place);
  await page.getByLabel("File or zip").setInputFiles({
    name: fileName,
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(archive(archiveOf)),
  });
  await page.getByRole("button", { name: "Preview" }).click();
}

test("an admin imports an archive, reads the report, and undoes the import", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  test.slow();
  const name = javaScriptEnabled ? "lit" : "dark";
  await signInAs("ada");
  await page.goto("/admin");
  await followLink(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Imports" }),
  );
  await expect(page.getByRole("heading", { name: "Imports", level: 1 })).toBeVisible();
  await accessible();
  await send(page, name, `${name}-погреб.ndjson`, NEW);
  await until(page, "ready");
  await expect(page.getByRole("heading", { name: `${name}-погреб.ndjson` })).toBeVisible();
  await expect(page.getByRole("row", { name: "Posts 1 0 1" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Events 1 0 0", exact: true })).toBeVisible();
  await expect(page.getByRole("row", { name: "Answers to events 1 0 0" })).toBeVisible();
  await expect(page.getByRole("row", { name: /^People Imported people cannot sign in/ })).toBeVisible();
  await expect(page.getByText("it refers to the user nobody")).toBeVisible();
  await accessible();
  expect((await page.request.get(`/cellar/${name}/1`, { maxRedirects: 0 })).status()).toBe(404);

  await page.getByRole("button", { name: "Import" }).click();
  await until(page, "imported");
  const run = page.url();
  const report = await page.request.get(
    await page.getByRole("link", { name: "Full report" }).getAttribute("href").then(String),
  );
  expect(await report.text()).toContain("line 8 · post q · Skipped: it refers to the user nobody");
  const moved = await page.request.get(`/cellar/${name}/1`, { maxRedirects: 0 });
  expect(moved.status()).toBe(301);
  await page.goto(`/cellar/${name}/1`);
  await expect(page.getByRole("heading", { name: "Where the jars stand", level: 1 })).toBeVisible();
  await expect(page.getByText("On the left, behind the door.")).toBeVisible();

  await page.goto("/admin/imports");
  await accessible();
  await send(page, name, "export (1).ndjson", new RegExp(`^Same as ${name}-погреб`));
  await until(page, "ready");
  await expect(page.getByRole("row", { name: "Posts 0 1 1" })).toBeVisible();

  await page.goto(run);
  await page.getByText("Undo import…").click();
  await accessible();
  await page.getByRole("button", { name: "Undo import", exact: true }).click();
  await until(page, "undone");
  expect((await page.request.get(`/cellar/${name}/1`, { maxRedirects: 0 })).status()).toBe(404);
});

test(
  "an import form sent without an archive asks for one",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("ada");
    await page.goto("/admin/imports");
    await page.getByLabel("Kind of archive").selectOption("mbox");
    await choosePlace(page, NEW);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByText("Choose an archive.").first()).toBeVisible();
    await expect(page.getByLabel("Kind of archive")).toHaveValue("mbox");
  },
);

test(
  "guests and moderators get 404 for imports",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, complaints }) => {
    expect((await page.goto("/admin/imports"))!.status()).toBe(404);
    await signInAs("ines");
    expect((await page.goto("/admin/imports"))!.status()).toBe(404);
    expect(
      (
        await page.request.post("/admin/imports", {
          multipart: { format: "csv" },
          headers: { origin: new URL(page.url()).origin },
        })
      ).status(),
    ).toBe(404);
    complaints.length = 0;
  },
);

import { readFileSync } from "node:fs";
import { expect, test } from "../support/browser/fixtures.ts";
import { main, submitAndWait } from "../support/browser/steps.ts";

// The tests run one after the other, because each changes every page of the server.
test.describe.configure({ mode: "serial" });

test("an admin sets the community's colour, which stays readable in light and dark, and removes it", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("ada");
  await page.goto("/admin/settings?search=accent");
  const form = main(page).locator("form#accent");
  const colour = form.getByLabel("Accent colour");
  const save = form.getByRole("button", { name: "Save" });
  await colour.fill("#ffe4e1");
  await submitAndWait(page, save);
  await expect(
    main(page).getByText("This colour is not readable, even when darkened.").first(),
  ).toBeVisible();
  await colour.fill("#7c3aed");
  await submitAndWait(page, save);
  await expect(form.getByRole("status")).toContainText("Saved");
  const accent = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));
  await expect.poll(accent).toContain("#7c3aed");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/groups/long-beds");
    await accessible();
    await page.goto("/admin/settings?search=accent");
    await accessible();
  }
  expect((await (await page.request.get("/manifest.webmanifest")).json()) as object).toMatchObject({
    theme_color: "#7c3aed",
  });
  await submitAndWait(page, form.getByRole("button", { name: "Reset" }));
  await expect(colour).toHaveValue("#0b6b5d");
  expect(await page.evaluate(() => document.documentElement.getAttribute("style") ?? "")).not.toContain(
    "--accent",
  );
  expect(complaints.filter((it) => !it.includes("422"))).toEqual([]);
});

test("an admin sets a logo and removes it", async ({ page, signInAs, accessible, complaints }) => {
  await signInAs("ada");
  await page.goto("/admin/settings?search=logo");
  const form = main(page).locator("form#logo");
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    form.getByLabel("Logo").setInputFiles({ name, mimeType, buffer });
  const save = form.getByRole("button", { name: "Save" });
  await choose("logo.svg", "image/svg+xml", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await submitAndWait(page, save);
  await expect(main(page).getByText("is not a picture we can read").first()).toBeVisible();
  await choose("logo.png", "image/png", readFileSync("public/icon-192.png"));
  await submitAndWait(page, save);
  await expect(form.getByRole("status")).toContainText("Saved");
  await expect(form.locator("img[src^='/logo/']")).toBeVisible();
  const before = () =>
    page.evaluate(() => getComputedStyle(document.querySelector(".brand")!, "::before").backgroundImage);
  await expect.poll(before).toMatch(/\/logo\/[\w-]+\/picture/);
  await accessible();
  await page.goto("/groups");
  await expect.poll(before).toMatch(/\/logo\/[\w-]+\/picture/);
  await page.goto("/admin/settings?search=logo");
  await submitAndWait(page, form.getByRole("button", { name: "Reset" }));
  await expect(form.locator("img[src^='/logo/']")).toHaveCount(0);
  expect(complaints.filter((it) => !it.includes("415"))).toEqual([]);
});

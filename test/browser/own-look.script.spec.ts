import { expect, test } from "./fixtures.ts";
import { main, send } from "./steps.ts";

test("an admin gives the place its colour, which can be read by day and by night, and takes it back", async ({
  page,
  signInAs,
  accessible,
  complaints,
}) => {
  await signInAs("ada");
  await page.goto("/admin/settings?search=accent");
  const form = main(page).locator("form#accent");
  const colour = form.getByLabel("Colour");
  const save = form.getByRole("button", { name: "Save" });
  await colour.fill("#ffe4e1");
  await send(page, save);
  await expect(main(page).getByText("That colour could not be read on paper, not even darkened.").first()).toBeVisible();
  await colour.fill("#7c3aed");
  await send(page, save);
  await expect(form.getByRole("status")).toContainText("Saved");
  const accent = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));
  expect(await accent()).toContain("light-dark(#7c3aed");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/groups/long-beds");
    await accessible();
    await page.goto("/admin/settings?search=accent");
    await accessible();
  }
  expect((await (await page.request.get("/manifest.webmanifest")).json()) as object).toMatchObject({ theme_color: "#7c3aed" });
  await send(page, form.getByRole("button", { name: "Back to the default" }));
  await expect(colour).toHaveValue("#0b6b5d");
  expect(await page.evaluate(() => document.documentElement.getAttribute("style") ?? "")).toBe("");
  expect(complaints.filter((it) => !it.includes("422"))).toEqual([]);
});

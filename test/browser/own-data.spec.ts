import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { openSettings } from "../support/browser/registration-steps.ts";

test(
  "a person requests a data export, is notified by mail, and downloads it; others cannot",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, mail }) => {
    // Both browser projects use the same server, so each has its own people: a person can export three times a
    // day.
    const [who, other] = ["mira", "ada"] as const;
    const main = page.getByRole("main");
    await signInAs(who);
    await openSettings(page, "Your data");
    await main.getByRole("button", { name: "Export my data" }).click();
    await expect(main.getByText(/Your export is being prepared|Download your data/).first()).toBeVisible();
    await accessible();
    await mail(`${who}@example.org`, "#data");
    await page.reload();
    const link = main.getByRole("link", { name: /^Download your data/ });
    const address = (await link.getAttribute("href"))!;
    const fetched = await page.request.get(address);
    expect([fetched.status(), fetched.headers()["content-type"]]).toEqual([200, "application/zip"]);
    expect(fetched.headers()["content-disposition"]).toContain("attachment");
    expect((await fetched.body()).subarray(0, 2).toString()).toBe("PK");

    await page.context().clearCookies();
    expect((await page.request.get(address)).status()).toBe(404);
    await signInAs(other);
    expect((await page.request.get(address)).status()).toBe(404);
  },
);

test("a person closing their account sees groups that need an owner, and chooses what happens to their posts", async ({
  page,
  signInAs,
  accessible,
}) => {
  const main = page.getByRole("main");
  await signInAs("tomas");
  await openSettings(page, "Your data");
  const leaving = main.getByRole("region", { name: "Delete account" });
  await expect(leaving.getByText(/^You are the only owner of these groups/)).toBeVisible();
  await expect(leaving.getByLabel("Keep them, signed “Former member”")).toBeChecked();
  await leaving.getByLabel("Delete them").check();
  await leaving.getByLabel("Your password").fill("not the password");
  await accessible();
  await leaving.getByRole("button", { name: "Delete account" }).click();
  await expect(leaving.getByText(/password/i).first()).toBeVisible();
  await expect(page).toHaveURL(/settings/);
});

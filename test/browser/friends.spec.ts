import { DEMO_PASSWORD } from "../../src/app/secrets.ts";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { chooseByMode, clickButton, followLink, main } from "../support/browser/steps.ts";
import { openSettings } from "../support/browser/registration-steps.ts";

test("a person who opens a friend link becomes a friend", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  const [maker, comer, name] = chooseByMode(
    javaScriptEnabled,
    ["luka", "eero", "Luka Petrović"],
    ["matteo", "rafi", "Matteo Bassi"],
  );
  await signInAs(maker);
  await page.goto("/myFriends");
  await clickButton(page, "Create link");
  const link = main(page).getByLabel(/^Here is your link/);
  const address = new URL(await link.inputValue()).pathname;
  await expect(main(page).getByRole("img", { name: "QR code of the link" })).toBeVisible();
  await accessible();

  const guest = await another();
  await guest.goto(address);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(`${name} wants to be friends with you`);
  await followLink(main(guest).getByRole("link", { name: "I have an account" }));
  await guest.getByLabel(/or username/).fill(comer);
  await guest.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await main(guest).getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(guest).toHaveURL(new RegExp(address));
  await clickButton(guest, "Become friends");
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(main(guest).getByLabel("You are friends")).toBeVisible();

  await page.goto("/myFriends");
  await expect(main(page).getByText("1 of 10 uses")).toBeVisible();
  await clickButton(page, "Revoke");
  await expect(main(page).getByText("1 of 10 uses")).toBeHidden();
  await guest.context().clearCookies();
  await guest.goto(address);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("This invitation was revoked.");
  await expect(guest.getByText(name)).toBeHidden();
});

test("removing a friend by mistake can be undone", async ({ page, signInAs, javaScriptEnabled }) => {
  await signInAs(chooseByMode(javaScriptEnabled, "tamsin", "priya"));
  await page.goto("/myFriends");
  const mira = main(page).getByRole("listitem").filter({ hasText: "@mira" });
  await mira.getByLabel("Actions for Mira Castellano").click();
  await mira.locator("summary", { hasText: "Remove from friends" }).click();
  await mira.getByRole("button", { name: /^Remove Mira/ }).click();
  await expect(page.locator("#notices")).toContainText("Mira Castellano was removed from your friends.");
  await expect(mira).toBeHidden();
  await page.locator("#notices").getByRole("button", { name: "Undo" }).click();
  await expect(mira).toBeVisible();
});

test(
  "posts of a muted person are collapsed until the mute is removed",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("rafi");
    await page.goto("/users/tomas?tab=discussions");
    const discussion = await main(page)
      .getByRole("heading", { level: 3 })
      .first()
      .getByRole("link")
      .getAttribute("href");
    await page.goto("/users/tomas");
    await main(page)
      .getByLabel(/^Actions for/)
      .click();
    await main(page).locator("summary", { hasText: "Mute…" }).click();
    await clickButton(page, "For a week");
    await expect(page.getByText("You muted Tomas Varga.")).toBeVisible();
    await accessible();

    await page.goto(`${discussion!.split(/[?#]/)[0]}?page=1`);
    const collapsed = main(page).locator("details.veil").first();
    await expect(collapsed.locator("summary")).toContainText("You muted Tomas Varga");
    const words = collapsed.locator(".prose");
    await expect(words).toBeHidden();
    await accessible();
    await collapsed.locator("summary").click();
    await expect(words).toBeVisible();

    await page.goto("/users/tomas");
    await main(page)
      .getByLabel(/^Actions for/)
      .click();
    await clickButton(page, /^Unmute/);
    await expect(main(page).locator("summary", { hasText: "Mute…" })).toHaveCount(1);
    await page.goto(`${discussion!.split(/[?#]/)[0]}?page=1`);
    await expect(main(page).locator("article").first()).toBeVisible();
    await expect(main(page).locator("details.veil")).toHaveCount(0);
  },
);

test(
  "items with filtered words are collapsed until the filter is removed",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("matteo");
    await page.goto("/?tab=latest");
    const title = ((await main(page).getByRole("heading", { level: 3 }).first().textContent()) ?? "").trim();
    const [word = ""] = title
      .match(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu)!
      .toSorted((a, b) => b.length - a.length);
    await openSettings(page, "Privacy settings");
    const filters = main(page).locator("section#filters");
    await filters.getByLabel("Words").fill(word.toUpperCase());
    await filters.getByRole("button", { name: "Add filter" }).click();
    await expect(filters.getByText("The filter is on.")).toBeVisible();
    await accessible();
    const settings = page.url().split(/[?#]/)[0]!;

    await page.goto("/?tab=latest");
    const collapsed = main(page).locator("details.veil").filter({ hasText: title }).first();
    await expect(collapsed.locator("summary")).toContainText(`Filtered: ${word.toUpperCase()}`);
    await expect(collapsed.getByRole("heading", { level: 3 }).first()).toBeHidden();
    await accessible();
    await collapsed.locator("summary").first().click();
    await expect(collapsed.getByRole("heading", { level: 3 }).first()).toBeVisible();

    await page.goto(settings);
    await filters.getByRole("button", { name: /^Remove the filter/ }).click();
    await expect(filters.getByRole("status").first()).toContainText("was removed.");
    await filters.getByRole("button", { name: "Undo" }).click();
    await expect(filters.getByRole("button", { name: /^Remove the filter/ })).toBeVisible();
    await filters.getByRole("button", { name: /^Remove the filter/ }).click();
    await expect(filters.getByRole("button", { name: "Undo" })).toBeVisible();
    await page.goto("/?tab=latest");
    await expect(main(page).locator("details.veil")).toHaveCount(0);
  },
);

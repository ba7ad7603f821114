import type { Response } from "@playwright/test";
import { expect, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

/** The last post that the page reported as seen. */
const seenIn = (answer: Response) =>
  Number(new URLSearchParams(answer.request().postData() ?? "").get("upTo"));
const LONG = "What do we do about the water?";

test("reading resumes in another browser after the last post that was visible", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("ada");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.getByRole("main").getByRole("link", { name: LONG }));
  await expect(page.getByRole("article").first()).toBeVisible();
  const address = page.url().split(/[?#]/)[0]!;
  await page.goto(`${address}?post=3`);
  await page.getByLabel("More for post 3", { exact: true }).click();
  await page.getByRole("button", { name: "Mark unread from here" }).click();
  await expect(page).toHaveURL("/");
  await page.goto(`${address}?page=1`);
  const slider = page.getByRole("slider", { name: "Go to post" });
  await expect(slider).toBeVisible();
  await accessible();

  const response = page.waitForResponse((answer) => answer.url().endsWith("/seen") && seenIn(answer) >= 7);
  await page.locator("#post-7").scrollIntoViewIfNeeded();
  const upTo = seenIn(await response);
  expect(upTo).toBeLessThan(20);

  await page.goto("/about");
  const there = await another(undefined, { storageState: await page.context().storageState() });
  await there.goto(address);
  const first = there.locator(
    "xpath=//p[contains(., 'New since your last visit')]/following-sibling::article[1]",
  );
  await expect(first).toBeInViewport();
  const number = Number((await first.getAttribute("id"))!.slice("post-".length));
  expect(number).toBeGreaterThan(upTo);
  expect(number).toBeLessThan(20);
});

test("the slider opens a post by keyboard, even on another page", async ({ page, signInAs }) => {
  await signInAs("tomas");
  await page.goto("/groups/long-beds?sort=top");
  await followLink(page.getByRole("main").getByRole("link", { name: LONG }));
  await expect(page.getByRole("article").first()).toBeVisible();
  const slider = page.getByRole("slider", { name: "Go to post" });
  await slider.focus();
  await page.keyboard.press("End");
  const last = Number(await slider.getAttribute("max"));
  await expect(page.locator(`#post-${last}`)).toBeInViewport();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(page.locator("#post-1")).toBeInViewport();
  await expect(slider).toHaveAttribute("aria-valuetext", /^Post 1 of \d+, /);
});

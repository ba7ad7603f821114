import type { Page } from "@playwright/test";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { waitForHydration, uniqueName } from "../support/browser/steps.ts";

async function startPoll(page: Page, fill: () => Promise<void>, group = "long-beds") {
  await page.goto(`/groups/${group}/new`);
  const title = uniqueName("Which beans");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Text", { exact: true }).fill("Say before Sunday.");
  await page.getByText("Add a poll").click();
  await fill();
  await page.getByRole("button", { name: "Start discussion" }).click();
  return title;
}

test("a poll is started with a discussion, voted on, and visible to guests without names", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  await signInAs("mira");
  const title = await startPoll(page, async () => {
    await page.getByLabel("Options").fill("Runner beans\n\nBroad beans\nrunner beans");
    await page.getByLabel("Show results").selectOption("voted");
    await accessible();
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const poll = page.getByRole("form", { name: "Poll in post 1" });
  await expect(poll.getByRole("radio")).toHaveCount(2);
  await expect(poll).toContainText("Results are shown after you vote.");
  await poll.getByLabel("Broad beans").check();
  await poll.getByRole("button", { name: "Vote" }).click();
  await expect(poll).toContainText("1 vote, 100%");
  await expect(poll.getByLabel("Broad beans")).toBeChecked();
  await accessible();
  await poll.getByLabel("Runner beans").check();
  await poll.getByRole("button", { name: "Change vote" }).click();
  await expect(poll.locator("label").filter({ hasText: "Runner beans" })).toContainText("1 vote, 100%");
  await expect(poll).toContainText("1 person has voted.");

  const guest = await another(undefined, { javaScriptEnabled: false });
  await guest.goto(page.url());
  await expect(guest.getByRole("region", { name: "Poll in post 1" })).toContainText(
    "Results are shown after you vote.",
  );
  await expect(guest.getByRole("region", { name: "Poll in post 1" })).not.toContainText("100%");
});

test(
  "long options fit a narrow page, in the form and in the poll",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAs("tomas");
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const longest = `${"Bean".repeat(50)}\n${"old beans ".repeat(19)}`;
    await startPoll(page, async () => {
      await page.getByLabel("Options").fill(longest);
      expect(await wide()).toBe(0);
    });
    await expect(page.getByRole("form", { name: "Poll in post 1" }).getByRole("radio")).toHaveCount(2);
    expect(await wide()).toBe(0);
  },
);

test(
  "too many options show an error beside their field and keep the typed text",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("mira");
    const options = Array.from({ length: 1_000 }, (_, i) => `Bean ${i}`).join("\n");
    // No other test starts a discussion in this group, where the rejected text is kept as a draft.
    await startPoll(page, () => page.getByLabel("Options").fill(options), "slow-dough");
    await expect(page.getByText("A poll can have 20 options at most.").first()).toBeVisible();
    await expect(page.getByLabel("Options")).toHaveValue(options);
    await expect(page.getByLabel("Options")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Say before Sunday.");
    await accessible();
    // With fewer options the poll is created, and the draft is gone.
    await page.getByLabel("Options").fill("Borlotti\nScarlet runners");
    await page.getByRole("button", { name: "Start discussion" }).click();
    await expect(page.getByRole("form", { name: "Poll in post 1" })).toBeVisible();
  },
);

test(
  "a reply with an invalid poll shows the error and can be sent after correction",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("ines");
    await startPoll(page, () => page.getByLabel("Options").fill("A\nB"));
    await expect(page.getByRole("form", { name: "Poll in post 1" })).toBeVisible();
    await page.getByLabel("Your reply").fill("And who comes?");
    await page.getByText("Add a poll").click();
    await page.getByLabel("Options").fill("Saturday");
    await page.getByLabel("Votes", { exact: true }).selectOption("several");
    await page
      .getByLabel("Closing date")
      .fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
    await expect(page.getByText("A poll needs at least two different options.")).toBeVisible();
    await expect(page.getByLabel("Your reply")).toHaveValue("And who comes?");
    await expect(page.getByLabel("Options")).toHaveValue("Saturday");
    await waitForHydration(page);
    await page.getByLabel("Options").fill("Saturday\nSunday");
    await expect(page.getByLabel("Options")).toHaveValue("Saturday\nSunday");
    await page.getByRole("main").getByRole("button", { name: "Reply", exact: true }).click();
    const poll = page.getByRole("form", { name: "Poll in post 2" });
    await expect(poll).toContainText("Closes");
    await expect(page.getByLabel("Your reply")).toHaveValue("");
    await poll.getByLabel("Saturday").check();
    await poll.getByLabel("Sunday").check();
    await poll.getByRole("button", { name: "Vote" }).click();
    await expect(poll.getByText("1 vote, 100%")).toHaveCount(2);
    await accessible();
  },
);

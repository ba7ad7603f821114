import { expect, test } from "./fixtures.ts";
import { foundGroup, main, press, unique } from "./steps.ts";

test("who waits before a group and who decides see it at once, in pages that stand open", async ({ page, signInAs, another }) => {
  const name = unique("Bell ringers");
  await signInAs("tomas");
  await foundGroup(page, name, "Private", "On request");
  const address = new URL(page.url()).pathname;
  const ada = await another("ada");
  await page.goto(`${address}/manage/requests`);
  await expect(main(page).getByText("Nobody is waiting.")).toBeVisible();

  await ada.goto(address);
  await press(ada, "Ask to join");
  await expect(main(ada).getByText("You have asked to join.")).toBeVisible();
  await press(page, /^Let in: /);
  await expect(main(page).getByText("Nobody is waiting.")).toBeVisible();

  await expect(main(ada).getByText("You have asked to join.")).toBeHidden();
  await expect(main(ada).getByLabel(/^You are in this group/)).toBeVisible();
  await page.goto(`${address}/manage/members`);
  await main(page).locator("summary", { hasText: "Change…" }).click();
  await main(page).locator("summary", { hasText: "Take out…" }).click();
  await main(page)
    .getByLabel(/^Reason, for/)
    .first()
    .fill("Out of tune.");
  await press(page, "Take out");
  await expect(main(ada).getByText("Out of tune.")).toBeVisible();
  await expect(main(ada).getByLabel(/^You are in this group/)).toBeHidden();
});

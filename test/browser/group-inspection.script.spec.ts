import { expect, test } from "../support/browser/fixtures.ts";
import {
  clickLink,
  openNotification,
  createGroup,
  main,
  clickButton,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("an admin inspects a private group, and its owner sees the reason in a notification and the log", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const [name, title, why] = [
    uniqueName("Behind the shed"),
    uniqueName("Where the keys are"),
    uniqueName("Threats are said to stand there"),
  ];
  const owner = await another("tomas");
  await createGroup(owner, name, "private", "request");
  const address = new URL(owner.url()).pathname;
  await startDiscussion(owner, title, "Under the third pot.", address.split("/").at(-1));

  await signInAs("ada");
  await page.goto(address);
  await clickLink(page, "Inspect group");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inspect group");
  await expect(main(page).getByText(name)).toBeVisible();
  await expect(main(page).getByText(title)).toHaveCount(0);
  await accessible();
  await main(page).getByLabel("Reason").fill(why);
  await clickButton(page, "Inspect group");
  await expect(main(page).getByText(/Inspection of this group, read-only/)).toBeVisible();
  await accessible();
  await clickLink(page, title);
  await expect(main(page).getByText("Under the third pot.")).toBeVisible();
  await accessible();
  await clickButton(page, "End inspection");
  await expect(page).toHaveURL(/\/groups$/);
  await page.goto(`/admin${address}`);
  await expect(main(page).getByLabel("Reason")).toBeVisible();

  await openNotification(owner, why, "An admin inspects your group");
  await expect(owner).toHaveURL(/\/manage\/log$/);
  await expect(main(owner).getByRole("listitem").filter({ hasText: why })).toContainText(
    "inspected the group as admin",
  );
  await expect(main(owner).getByText("read a discussion as admin")).toBeVisible();
});

test("moderators get 404 for the inspection of a group", async ({ page, signInAs }) => {
  await signInAs("ines");
  const answer = await page.goto("/admin/groups/long-beds");
  expect(answer?.status()).toBe(404);
});

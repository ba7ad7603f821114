import { expect, test } from "../support/browser/fixtures.ts";
import {
  addDocument,
  clickLink,
  openNotification,
  createGroupByForm,
  join,
  main,
  clickButton,
  uniqueName,
  chooseByMode,
} from "../support/browser/steps.ts";

test("a profile is reported, staff see it as it was, and the reporter hears the outcome", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  const [reporter, reported] = chooseByMode(javaScriptEnabled, ["mira", "chidi"] as const, ["tomas", "hana"] as const);
  const why = uniqueName("Calls people names");
  await signInAs(reporter);
  await page.goto(`/users/${reported}`);
  await page.getByLabel(/^More about/).click();
  await page.getByRole("link", { name: "Report…" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Report somebody");
  await accessible();
  await clickButton(page, "Report");
  await main(page).getByLabel("What is wrong with it?").fill(why);
  await clickButton(page, "Report");
  await expect(main(page).getByText(/is not told, and you hear how it ends/)).toBeVisible();
  await clickLink(page, "Back to the profile");
  await page.getByLabel(/^More about/).click();
  await page.getByRole("link", { name: "Report…" }).click();
  await main(page).getByLabel("What is wrong with it?").fill(why);
  await clickButton(page, "Report");
  await expect(main(page).getByText("You have reported this already. It is going to be looked at.")).toBeVisible();

  const judging = await another("ines");
  await judging.goto("/moderation");
  await main(judging).getByRole("link").filter({ hasText: why }).click();
  await expect(main(judging).getByText(`@${reported}`)).toBeVisible();
  await main(judging).getByLabel("It was right to report this").check();
  await clickButton(judging, "End the report");
  await expect(judging).toHaveURL(/\/moderation$/);
  await page.goto("/reports");
  await expect(main(page).getByRole("listitem").filter({ hasText: why })).toContainText("It was right to report this");
});

test("a resource is reported from its menu, removed with a reason, and restored on its owner's appeal", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  test.slow();
  const [owner, reporter, keeper] = chooseByMode(javaScriptEnabled, ["tomas", "mira", "hana"] as const, ["mira", "tomas", "hana"] as const);
  const [title, why, reason] = [uniqueName("Where beans are cheap"), uniqueName("It sells beans"), uniqueName("No shops in here")];
  const [plea, answer] = [uniqueName("They are free"), uniqueName("Free ones are fine")];
  await signInAs(owner);
  await createGroupByForm(page, uniqueName("Bean shelf"), "Public", "Open to all");
  const address = new URL(page.url()).pathname;
  const [keeping, reporting] = [await another(keeper), await another(reporter)];
  await join(keeping, address);
  await addDocument(keeping, title, "Here!", address.split("/").at(-1));
  const resource = new URL(keeping.url()).pathname;

  await reporting.goto(resource);
  await reporting.getByLabel("More for this resource").click();
  await reporting.getByRole("link", { name: "Report this…" }).click();
  await expect(main(reporting).getByText(title)).toBeVisible();
  await main(reporting).getByLabel("What is wrong with it?").fill(why);
  await clickButton(reporting, "Report");
  await expect(main(reporting).getByText(/Whoever keeps it is not told/)).toBeVisible();
  await page.goto(`/report${resource}`);
  await accessible();

  await page.goto(`${address}/manage/reports`);
  await main(page).getByRole("link").filter({ hasText: why }).click();
  await expect(main(page).getByRole("link", { name: title })).toHaveAttribute("href", resource);
  await accessible();
  await main(page).getByLabel("It was right to report this, and it goes").check();
  await main(page).getByLabel("Reason, where it goes").fill(reason);
  await clickButton(page, "End the report");
  await expect(page).toHaveURL(/\/moderation$/);
  await reporting.goto(resource);
  await expect(main(reporting).getByText(reason)).toBeVisible();
  await reporting.goto("/reports");
  await expect(main(reporting).getByRole("listitem").filter({ hasText: why })).toContainText("About a resource");

  await openNotification(keeping, title, "was taken out of the library");
  await expect(main(keeping).getByText(reason)).toBeVisible();
  await main(keeping).getByLabel("Why should it come back?").fill(plea);
  await clickButton(keeping, "Ask that it comes back");
  await expect(main(keeping).getByText("Nobody has answered yet.")).toBeVisible();
  const judging = await another("ines");
  await judging.goto("/moderation");
  await main(judging).getByRole("link").filter({ hasText: plea }).click();
  await expect(main(judging).getByText(reason)).toBeVisible();
  await main(judging).getByLabel("It comes back").check();
  await main(judging).getByLabel("Reason").fill(answer);
  await clickButton(judging, "Answer");
  await expect(judging).toHaveURL(/\/moderation$/);
  await reporting.goto(resource);
  await expect(reporting.getByRole("heading", { level: 1 })).toHaveText(title);
  await openNotification(keeping, answer, "What was removed is back");
  await expect(main(keeping).getByRole("listitem").filter({ hasText: plea })).toContainText("It came back");
});

test("a group is reported from its about page, hidden from its moderators", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  test.slow();
  const [owner, reporter] = chooseByMode(javaScriptEnabled, ["tomas", "mira"] as const, ["mira", "tomas"] as const);
  const [name, why] = [uniqueName("Bean sellers"), uniqueName("It is a shop")];
  await signInAs(reporter);
  const own = await another(owner);
  await createGroupByForm(own, name, "Public", "Open to all");
  const address = new URL(own.url()).pathname;
  await own.goto(`${address}?tab=about`);
  await expect(main(own).getByRole("link", { name: "Report…" })).toHaveCount(0);
  await page.goto(`${address}?tab=about`);
  await clickLink(page, "Report…");
  await accessible();
  await main(page).getByLabel("What is wrong with it?").fill(why);
  await clickButton(page, "Report");
  await expect(main(page).getByText(/Nobody in the group is told/)).toBeVisible();
  await own.goto(`${address}/manage/reports`);
  await expect(main(own).getByText("Nothing is waiting.")).toBeVisible();
  const judging = await another("ines");
  await judging.goto("/moderation");
  const line = main(judging).getByRole("link").filter({ hasText: why });
  await expect(line).toContainText(`About ${name}`);
  await line.click();
  await expect(main(judging).getByRole("link", { name })).toBeVisible();
  await main(judging).getByLabel("It was right to report this, and the group is archived").check();
  await clickButton(judging, "End the report");
  await expect(main(judging).getByRole("alert")).toContainText("Say why");
  await main(judging).getByLabel("It was right to report this, and the group is archived").check();
  await main(judging).getByLabel("Reason, where it is archived").fill("No shops.");
  await clickButton(judging, "End the report");
  await expect(judging).toHaveURL(/\/moderation$/);

  await own.goto(`${address}/manage/log`);
  await expect(main(own).getByRole("listitem").filter({ hasText: "archived the group" })).toContainText("No shops.");
  await own.goto(`${address}/manage/end`);
  await clickButton(own, "Open the group again");
  await expect(main(own).getByRole("alert")).toContainText("They alone open it again.");
});

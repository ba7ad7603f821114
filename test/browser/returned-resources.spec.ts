import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  addDocument,
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  uniqueName,
} from "../support/browser/steps.ts";

test(
  "the owner of a reported resource changes it on request, and a moderator approves the change",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const [title, why] = [uniqueName("Beans for sale"), uniqueName("It is a shop")];
    await signInAs("tomas");
    await createGroup(page, uniqueName("Seed swap"));
    const address = new URL(page.url()).pathname;
    const [owner, reporter] = [await another("hana"), await another("mira")];
    await join(owner, address);
    await addDocument(owner, title, "Buy them here.", address.split("/").at(-1));
    const resource = new URL(owner.url()).pathname;
    await reporter.goto(`/report${resource}`);
    await main(reporter).getByLabel("Category").selectOption("spam");
    await main(reporter).getByLabel("What is wrong?").fill(why);
    await clickButton(reporter, "Report");

    await page.goto("/moderation");
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await main(page).getByLabel("Ask for changes, hide until they are reviewed").check();
    await main(page).getByLabel("Reason (sent to the author)").fill("Leave the shop out.");
    await clickButton(page, "Close case");
    await expect(page.locator("#notices")).toContainText("The author was asked for changes.");
    await followLink(main(page).getByRole("link", { name: "Response times of the last 30 days" }));
    await expect(main(page).getByRole("table")).toBeVisible();
    await accessible();
    expect((await reporter.goto(resource))!.status()).toBe(404);

    await openNotification(owner, title, "asks you to change your resource");
    const notice = main(owner).getByRole("note");
    await expect(notice).toContainText("Leave the shop out.");
    await accessible(undefined, owner);
    await followLink(notice.getByRole("link", { name: "Edit" }));
    await main(owner).getByLabel("Title").fill(`${title}, given away`);
    await clickButton(owner, "Save");
    await expect(notice).toContainText("until your changes are reviewed");

    await page.goto("/moderation?tab=posts");
    const entry = main(page)
      .getByRole("listitem")
      .filter({ hasText: `${title}, given away` });
    await expect(entry).toContainText("Changed resource:");
    await accessible();
    await entry.getByRole("button", { name: /^Approve/ }).click();
    await expect(entry).toHaveCount(0);
    await reporter.goto(resource);
    await expect(reporter.getByRole("heading", { level: 1 })).toHaveText(`${title}, given away`);
  },
);

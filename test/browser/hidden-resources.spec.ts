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
  "a resource that three members report is hidden until a group moderator lets it stay",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.slow();
    const [title, why] = [uniqueName("Beans for sale"), uniqueName("It is a shop")];
    await signInAs("tomas");
    await createGroup(page, uniqueName("Seed swap"));
    const address = new URL(page.url()).pathname;
    const owner = await another("hana");
    await join(owner, address);
    await addDocument(owner, title, "Buy them here.", address.split("/").at(-1));
    const resource = new URL(owner.url()).pathname;

    // Reports of Noor and Luka, who are new, weigh half of Mira's.
    const [guest, noor, luka, mira] = [
      await another(),
      await another("noor"),
      await another("luka"),
      await another("mira"),
    ];
    // The last report hides the resource, also from its reporter, who reads their own reports then.
    const thanks = (isLast: boolean) =>
      isLast
        ? "What you reported or appealed, with the decisions."
        : /The owner does not learn who reported it/;
    for (const reporter of [noor, luka, mira]) {
      await reporter.goto(resource);
      await expect(reporter.getByRole("heading", { level: 1 })).toHaveText(title);
      await reporter.goto(`/report${resource}`);
      await main(reporter).getByLabel("Category").selectOption("spam");
      await main(reporter).getByLabel("What is wrong?").fill(why);
      await clickButton(reporter, "Report");
      await expect(main(reporter).getByText(thanks(reporter === mira))).toBeVisible();
    }
    for (const other of [guest, mira]) {
      expect((await other.goto(resource))!.status()).toBe(404);
      await other.goto(`${address}?tab=resources`);
      await expect(main(other).getByText(title)).toHaveCount(0);
    }

    await openNotification(owner, title, "is hidden for now");
    await expect(owner).toHaveURL(new RegExp(`${resource}$`));
    const notice = main(owner).getByRole("note");
    await expect(notice).toContainText("Several people reported this.");
    await expect(notice).toContainText("Only you and moderators can see this resource");
    await accessible(undefined, owner);

    await page.goto(`${address}/manage/reports`);
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await expect(main(page).getByText("Hidden from others until the report is closed.")).toBeVisible();
    const reportAddress = page.url();
    await followLink(main(page).getByRole("link", { name: title }));
    await expect(main(page).getByRole("note")).toContainText("Only the owner and moderators can see");
    await accessible();
    await page.goto(reportAddress);
    await main(page).getByLabel("Dismiss report").check();
    await clickButton(page, "Close case");
    await expect(page).toHaveURL(/\/moderation$/);
    for (const other of [guest, mira]) {
      await other.goto(resource);
      await expect(other.getByRole("heading", { level: 1 })).toHaveText(title);
    }
    await owner.goto(resource);
    await expect(main(owner).getByRole("note")).toHaveCount(0);
  },
);

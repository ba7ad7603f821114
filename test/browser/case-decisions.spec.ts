import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import {
  clickButton,
  createGroup,
  followLink,
  join,
  main,
  openNotification,
  reply,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test(
  "a moderator asks for changes of a post, its author makes them, and the moderator approves them",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    test.setTimeout(100_000);
    const [words, changed, why] = [
      uniqueName("You know nothing of beans"),
      uniqueName("I see it differently"),
      uniqueName("Be kind"),
    ];
    await signInAs("tomas");
    const name = uniqueName("Bean talk");
    await createGroup(page, name);
    const group = new URL(page.url()).pathname;
    const author = await another("mira");
    await join(author, group);
    await startDiscussion(author, uniqueName("What to sow"), "Beans?", group.split("/").at(-1));
    await reply(author, words);
    const discussion = new URL(author.url()).pathname;
    const reporter = await another("hana");
    await reporter.goto(discussion);
    await reporter.getByRole("article").filter({ hasText: words }).getByLabel("More for post 2").click();
    await followLink(reporter.getByRole("link", { name: "Report…" }));
    await main(reporter).getByLabel("Category").selectOption("harassment");
    await main(reporter).getByLabel("What is wrong?").fill(why);
    await clickButton(reporter, "Report");

    await page.goto(`${group}/manage/reports`);
    await followLink(main(page).getByRole("link").filter({ hasText: why }));
    await main(page).getByLabel("Turn on slow mode in the discussion").check();
    await expect(main(page).getByLabel("Time between two replies")).toBeVisible();
    await expect(main(page).getByLabel("Duration")).toBeVisible();
    await main(page).getByLabel("Ask for changes, hide until they are reviewed").check();
    await expect(main(page).getByLabel("Time between two replies")).toBeHidden();
    await expect(main(page).getByLabel("Duration")).toBeHidden();
    await main(page).getByLabel("Reason (sent to the author)").fill(why);
    await clickButton(page, "Preview");
    const preview = main(page).getByRole("region", { name: "Preview" });
    await expect(preview).toContainText("asks you to change your post");
    await accessible();
    await clickButton(page, "Close case");
    await reporter.goto(discussion);
    await expect(reporter.getByText(words)).toHaveCount(0);

    await openNotification(author, why, "asks you to change your post");
    await expect(main(author).getByText(why)).toBeVisible();
    await followLink(main(author).getByRole("link", { name: "Open post" }));
    await expect(main(author).getByText("A moderator asked for changes").first()).toBeVisible();
    await followLink(author.getByRole("link", { name: "Edit post 2" }));
    await author.getByLabel("Your post").fill(changed);
    await clickButton(author, "Save");
    await expect(author.locator("#waiting")).toContainText(changed);

    await page.goto(`${group}/manage/posts`);
    const pending = main(page).getByRole("listitem").filter({ hasText: changed });
    await expect(pending).toContainText("Changed post in");
    await clickButton(page, /Approve .* post/);
    await reporter.reload();
    await expect(reporter.getByRole("article").filter({ hasText: changed })).toBeVisible();
  },
);

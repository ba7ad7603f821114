import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import { clickButton, followLink, main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test(
  "a text with a flagged word is published, and moderators find its case",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    const word = `wager${Date.now().toString(36)}`;
    await signInAs("ada");
    await page.goto("/admin/watched-words");
    await main(page).getByLabel("Word or pattern").fill(word);
    await main(page).getByLabel("What happens").selectOption("flag");
    await clickButton(page, "Add word");
    await expect(main(page).getByText("The watched word was saved.")).toBeVisible();

    const author = await another("mira");
    const title = uniqueName("Evenings in the hall");
    await startDiscussion(author, title, `Who would like a ${word}?`);
    await expect(main(author).getByText(`Who would like a ${word}?`)).toBeVisible();

    await page.goto("/moderation");
    const row = main(page).getByRole("listitem").filter({ hasText: title });
    await expect(row).toContainText(`Watched words: “${word}”`);
    await expect(row).toContainText("Automatic");
    await followLink(row.getByRole("link", { name: /Report about Mira/ }));
    await expect(main(page).getByText("reported because of watched words")).toBeVisible();
    await expect(main(page).getByText(`Who would like a ${word}?`)).toBeVisible();
    await accessible();

    await page.goto("/admin/watched-words");
    await clickButton(page, `Remove “${word}”`);
    await expect(main(page).getByText("The watched word was removed.")).toBeVisible();
  },
);

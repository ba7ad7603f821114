import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { clickButton, main, uniqueName } from "../support/browser/steps.ts";

test(
  "an admin writes, orders and retires rules, which the rules page shows",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const [first, second] = [uniqueName("No adverts"), uniqueName("Stay on topic")];
    await signInAs("ada");
    await page.goto("/admin/rules");
    for (const text of [first, second]) {
      await main(page)
        .getByRole("region", { name: "New rule" })
        .getByLabel("Rule", { exact: true })
        .fill(text);
      await clickButton(page, "Add rule");
      await expect(main(page).getByRole("listitem").filter({ hasText: text })).toBeVisible();
    }
    await accessible();
    await main(page)
      .getByRole("button", { name: `Move ${second} up` })
      .click();
    const written = main(page)
      .getByRole("listitem")
      .filter({ hasText: /No adverts|Stay on topic/ });
    await expect(written).toContainText([second, first]);
    await page.goto("/rules");
    const cited = main(page).getByRole("region", { name: "Rules that decisions of moderators cite" });
    await expect(cited.getByRole("listitem").filter({ hasText: /No adverts|Stay on topic/ })).toHaveText([
      second,
      first,
    ]);
    await accessible();
    await page.goto("/admin/rules");
    for (const text of [first, second]) {
      await main(page)
        .getByRole("button", { name: `Retire: ${text}` })
        .click();
      await main(page)
        .getByRole("button", { name: `Delete: ${text}` })
        .click();
      await expect(main(page).getByText(text)).toHaveCount(0);
    }
  },
);

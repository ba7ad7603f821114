import { expect, test } from "../support/browser/fixtures.ts";
import { DEAD_LINKS } from "../support/browser/dead-links.ts";
import { clickLink, main, clickButton, chooseByMode } from "../support/browser/steps.ts";

test("a dead link is marked; a reader suggests a new address, and its owner accepts it", async ({
  page,
  signInAs,
  another,
  javaScriptEnabled,
  accessible,
}) => {
  const { scripts, noScripts } = DEAD_LINKS;
  const title = chooseByMode(javaScriptEnabled, scripts, noScripts);
  const address = `https://lists.example.org/${encodeURIComponent(title)}`;
  await signInAs("mira");
  await page.goto("/resources?dead=yes");
  await expect(main(page).getByRole("listitem").filter({ hasText: title })).toContainText("does not answer at the moment");
  await clickLink(page, title);
  await expect(main(page).getByText("This address has not answered for a week.")).toBeVisible();
  await expect(main(page).getByRole("link", { name: "Look for a copy in an archive" })).toBeVisible();
  await accessible();

  await page.getByLabel("Where it should lead").fill(address);
  await clickButton(page, "Suggest this address");
  await expect(main(page).getByText("You suggested this")).toBeVisible();

  const keeper = await another("tomas");
  await keeper.goto(page.url());
  await expect(main(keeper).getByText("Mira Castellano suggested this")).toBeVisible();
  await clickButton(keeper, "Lead there from now on");
  await expect(main(keeper).getByRole("link", { name: "Open" })).toHaveAttribute("href", address);
  await expect(main(keeper).getByText("This address has not answered for a week.")).toHaveCount(0);
});

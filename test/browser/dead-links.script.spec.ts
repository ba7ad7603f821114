import { expect, test } from "../support/browser/fixtures.ts";
import { DEAD_LINK } from "../support/browser/dead-link.ts";
import { clickLink, main, clickButton } from "../support/browser/steps.ts";

test("a dead link is marked, a reader suggests a new address, and the resource's owner accepts it", async ({
  page,
  signInAs,
  another,
  accessible,
}) => {
  const title = DEAD_LINK;
  const address = `https://lists.example.org/${encodeURIComponent(title)}`;
  await signInAs("mira");
  await page.goto("/resources?dead=yes");
  await expect(main(page).getByRole("listitem").filter({ hasText: title })).toContainText(
    "does not respond at the moment",
  );
  await clickLink(page, title);
  await expect(main(page).getByText("This link has been broken for a week.")).toBeVisible();
  await expect(main(page).getByRole("link", { name: "Search in a web archive" })).toBeVisible();
  await accessible();

  await page.getByLabel("Correct link").fill(address);
  await clickButton(page, "Suggest link");
  await expect(main(page).getByText("You suggested this")).toBeVisible();

  const owner = await another("tomas");
  await owner.goto(page.url());
  await expect(main(owner).getByText("Mira Castellano suggested this")).toBeVisible();
  await clickButton(owner, "Use this link");
  await expect(main(owner).getByRole("link", { name: "Open" })).toHaveAttribute("href", address);
  await expect(main(owner).getByText("This link has been broken for a week.")).toHaveCount(0);
});

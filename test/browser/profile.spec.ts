import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";

test(
  "a profile lists a person's activity in several tabs",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("ines");
    await page.goto("/users/mira");
    const main = page.getByRole("main");
    for (const tab of ["Activity", "Discussions", "Replies", "Resources", "Groups"]) {
      const link = main
        .getByRole("navigation", { name: /^About/ })
        .getByRole("link", { name: tab, exact: true });
      await link.click();
      await expect(link).toHaveAttribute("aria-current", "page");
      await expect(
        main.getByRole("region", { name: tab, exact: true }).getByRole("listitem").first(),
      ).toBeVisible();
      await accessible();
    }
    await page.goto("/users/mira?tab=replies");
    await followLink(main.getByRole("heading", { level: 3 }).first().getByRole("link"));
    await expect(page).toHaveURL(/\/discussions\//);
  },
);

test(
  "one's own profile shows its missing parts and a preview as others see it",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const main = page.getByRole("main");
    await signInAs("tomas");
    await page.goto("/users/tomas");
    await expect(main.getByRole("link", { name: "Edit profile" })).toBeVisible();
    await followLink(main.getByRole("link", { name: "As a guest" }));
    await expect(main.getByText("This is your profile as a guest sees it.")).toBeVisible();
    await expect(main.getByText("shows this profile to members only")).toBeVisible();
    await accessible();
    await followLink(main.getByRole("link", { name: "As a friend" }));
    await expect(main.getByText("This is your profile as a friend sees it.")).toBeVisible();
    await expect(main.getByRole("link", { name: "Edit profile" })).toHaveCount(0);
    await followLink(main.getByRole("link", { name: "Activity" }));
    await expect(page).toHaveURL(/as=friend/);
    await expect(main.getByText(/^(Started|Replied in|Joined|Added)/).first()).toBeVisible();
    await accessible();
    await followLink(main.getByRole("link", { name: "Back to your own view" }));
    await expect(main.getByRole("link", { name: "Edit profile" })).toBeVisible();
    // The preview works for one's own profile only.
    await page.goto("/users/mira?as=friend");
    await expect(main.getByText("as a friend sees it")).toHaveCount(0);
  },
);

test(
  "a person is invited to a group from their profile",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const main = page.getByRole("main");
    const [invited, name] = ["leila", /Leila/];
    await signInAs("tomas");
    await page.goto(`/users/${invited}`);
    await main.getByLabel(/^Actions for/).click();
    await followLink(main.getByRole("link", { name: "Invite to a group…" }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Invite .* to a group$/);
    await accessible();
    const first = main.getByRole("listitem").first();
    const group = (await first.getByRole("heading").textContent()) ?? "";
    await first.getByRole("button", { name: /^Invite/ }).click();
    await expect(main.getByRole("status")).toHaveText(new RegExp(`was invited to ${group}`));
    await expect(main.getByRole("status")).toHaveText(name);
    expect((await page.goto("/users/tomas/invite"))?.status()).toBe(404);
  },
);

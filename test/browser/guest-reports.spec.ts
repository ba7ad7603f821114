import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import { findLink } from "../support/browser/registration-steps.ts";
import { clickButton, createGroup, main, startDiscussion, uniqueName } from "../support/browser/steps.ts";

test(
  "a guest reports a post, confirms the address, and follows the report to the mailed decision",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible, mail }) => {
    test.slow();
    const [title, why] = [uniqueName("Cheap beans"), uniqueName("It sells beans")];
    const email = `${uniqueName("gus")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, "-")}@example.net`;
    await signInAs("tomas");
    await createGroup(page, uniqueName("Bean shop"));
    await startDiscussion(page, title, "Buy my beans.");
    const address = new URL(page.url()).pathname;

    const guest = await another();
    await guest.goto(address);
    await main(guest).getByRole("link", { name: "Report post 1" }).click();
    await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Report post");
    await main(guest).getByLabel("Category").selectOption("spam");
    await main(guest).getByLabel("What is wrong?").fill(why);
    await main(guest).getByLabel("Your name").fill("Gus");
    await main(guest).getByLabel("Email address").fill(email);
    await clickButton(guest, "Report");
    await expect(main(guest).getByText("Check your inbox")).toBeVisible();

    await guest.goto(findLink(await mail(email)));
    await expect(main(guest).getByText(why)).toBeVisible();
    await clickButton(guest, "Confirm report");
    await expect(main(guest).getByText("Moderators will review your report.")).toBeVisible();
    await mail(email, "View status");
    const status = guest.url();

    const staff = await another("ines");
    await staff.goto("/moderation");
    const row = main(staff).getByRole("listitem").filter({ hasText: why });
    await expect(row).toContainText("Reported by Gus (guest)");
    await row.getByRole("link", { name: /Report about/ }).click();
    await expect(main(staff).getByText("g…@e…")).toBeVisible();
    await clickButton(staff, "Show email of Gus (this is logged)");
    await expect(main(staff).getByText(email)).toBeVisible();
    await main(staff).getByLabel("Uphold report, keep content").check();
    await clickButton(staff, "Close case");
    await expect(staff).toHaveURL(/\/moderation$/);

    await guest.goto(status);
    await expect(main(guest).getByText("Your report was upheld.")).toBeVisible();
    await mail(email, "upheld");
    await signInAs("ada");
    await page.goto(status);
    await expect(main(page).getByText("Your report was upheld.")).toBeVisible();
    await accessible();
    await page.goto("/report/status/wrong");
    await expect(main(page).getByText("This link does not work.")).toBeVisible();
  },
);

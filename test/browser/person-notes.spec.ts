import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";

test(
  "staff write and delete a note on a person, who never sees it",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    const text = uniqueName("Was friendly on the phone");
    await signInAs("ines");
    await page.goto("/admin/people?search=hana");
    await followLink(main(page).getByRole("link", { name: /^Manage account of Hana/ }));
    const notes = main(page).getByRole("region", { name: /^Notes on Hana/ });
    await notes.getByLabel("Add note on the person").fill(text);
    await clickButton(page, "Add note on the person");
    await expect(notes.getByText(text, { exact: true })).toBeVisible();
    await accessible();

    const admin = await another("ada");
    await admin.goto("/admin/audit");
    await expect(main(admin).getByText("added a note on").first()).toBeVisible();
    await expect(main(admin).getByText(text)).toHaveCount(0);

    const person = await another("hana");
    expect((await person.request.get(page.url())).status()).toBe(404);

    await clickButton(page, `Delete note: ${text}`);
    await expect(notes.getByText(text, { exact: true })).toHaveCount(0);
  },
);

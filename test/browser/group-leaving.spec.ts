import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { createGroup, join, main, clickButton, uniqueName } from "../support/browser/steps.ts";

test("the only owner of a group names a successor and leaves", async ({
  page,
  signInAs,
  another,
  accessible,
  javaScriptEnabled,
}) => {
  const name = uniqueName("Book binders");
  await signInAs("tomas");
  await createGroup(page, name);
  const address = new URL(page.url()).pathname;
  const ada = await another("ada");
  await join(ada, address);
  await page.reload();
  await main(page).getByLabel("Your role: Owner").click();
  await main(page).getByText("Leave group…").click();
  // Menus have a maximum height: content that unfolds scrolls into view.
  if (javaScriptEnabled)
    await expect(main(page).getByRole("button", { name: "Transfer and leave" })).toBeInViewport({ ratio: 1 });
  await expect(
    main(page).getByLabel("You are the only owner. Choose a successor.").getByRole("option"),
  ).toHaveText(["Ada Lindqvist"]);
  await accessible();
  await clickButton(page, "Transfer and leave");
  await expect(main(page).getByRole("button", { name: "Join" })).toBeVisible();
  await ada.goto(address);
  await expect(main(ada).getByLabel("Your role: Owner")).toBeVisible();
});

test(
  "a leaving member chooses whether their posts are deleted as well",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    const ada = await another("ada");
    await createGroup(ada, uniqueName("Bell ringers"));
    await signInAs("tomas");
    await join(page, new URL(ada.url()).pathname);
    await main(page).getByLabel("Your role: Member").click();
    await main(page).getByText("Leave group…").click();
    const box = main(page).getByRole("checkbox", { name: "Also delete my posts" });
    await expect(box).not.toBeChecked();
    await box.check();
    await accessible();
    await clickButton(page, /^Leave/);
    await expect(main(page).getByRole("button", { name: /^Join/ })).toBeVisible();
  },
);

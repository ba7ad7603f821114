import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import { followLink, main, startDiscussion, uniqueName, waitForHydration } from "../support/browser/steps.ts";

const NARROW = [
  { width: 390, height: 780 },
  { width: 1000, height: 780 },
];

test("search in the side panel finds the group's discussions or the viewer's own", async ({
  page,
  signInAs,
  another,
  javaScriptEnabled,
  accessible,
}) => {
  const word = uniqueName("Trowel").replace(" ", "");
  const tomas = await another("tomas");
  await startDiscussion(tomas, `${word}: who has it?`);
  await signInAs("mira");
  await startDiscussion(page, `${word}: mine is lent out`);
  await startDiscussion(page, "Nothing of the kind");
  const beside = page.getByRole("navigation", { name: "Discussions in The Long Beds" });
  await expect(beside.getByRole("link", { name: "Nothing of the kind" }).first()).toHaveAttribute(
    "aria-current",
    "page",
  );

  if (javaScriptEnabled) {
    await waitForHydration(page);
    await beside.getByRole("searchbox").fill(word.toLowerCase());
    await expect(beside.getByRole("listitem")).toHaveCount(2);
    await beside.getByRole("button", { name: "Mine" }).click();
    await expect(beside.getByRole("listitem")).toHaveText([`${word}: mine is lent out`]);
    await accessible();
    // The filter stays when the reader opens a discussion of the list.
    await followLink(beside.getByRole("link", { name: `${word}: mine is lent out` }));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${word}: mine is lent out`);
    await expect(beside.getByRole("listitem")).toHaveCount(1);
    await beside.getByRole("searchbox").fill("no such thing");
    await expect(beside.getByText("No matching discussions.")).toBeVisible();
    await followLink(beside.getByRole("link", { name: "Show all" }));
  } else await page.goto("/groups/long-beds?filter=mine");
  await expect(page).toHaveURL(/filter=mine/);
  await expect(main(page).getByRole("link", { name: `${word}: mine is lent out` })).toBeVisible();
  await expect(main(page).getByRole("link", { name: `${word}: who has it?` })).toHaveCount(0);

  if (!javaScriptEnabled) return;
  await followLink(main(page).getByRole("link", { name: `${word}: mine is lent out` }));
  await beside.getByRole("searchbox").fill(word);
  await beside.getByRole("searchbox").press("Enter");
  await expect(page).toHaveURL(/\/search\?.*in=long-beds/);
  await expect(main(page).getByRole("link", { name: `${word}: who has it?` })).toBeVisible();
});

for (const viewport of NARROW)
  test(`a page ${viewport.width} wide has the group's other discussions in a sheet`, async ({
    page,
    signInAs,
    javaScriptEnabled,
    accessible,
  }) => {
    await signInAs("mira");
    await startDiscussion(page, uniqueName("Beside the compost"));
    await page.setViewportSize(viewport);
    const beside = page.getByRole("navigation", { name: "Discussions in The Long Beds" });
    const open = page.getByRole("button", { name: "Discussions", exact: true });
    await expect(beside).toBeHidden();
    await open.click();
    await expect(beside).toBeVisible();
    // The list is shortened, because targets cut off by scrolling would count as too small.
    if (javaScriptEnabled) {
      await waitForHydration(page);
      await beside.getByRole("searchbox").fill("compost");
      await accessible();
      await beside.getByRole("searchbox").fill("");
    }
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect(beside).toBeHidden();

    await open.click();
    await page.keyboard.press("Escape");
    await expect(beside).toBeHidden();

    await open.click();
    const other = beside.getByRole("link", { name: "How the beds work (read this before you dig)" });
    await other.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "How the beds work (read this before you dig)",
    );
    await expect(beside).toBeHidden();
  });

test(
  "the side panel completes home, a group and a search",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await signInAs("mira");
    const beside = page.locator(".shell-aside");
    await page.goto("/");
    for (const name of ["Coming up", "New resources"]) {
      await expect(beside.getByRole("region", { name })).toBeVisible();
      await expect(main(page).getByRole("heading", { name, exact: true })).toHaveCount(0);
    }
    await accessible();
    await page.setViewportSize(NARROW[0]!);
    await expect(beside.getByRole("region", { name: "New resources" })).toBeVisible();
    await expect(beside.getByRole("navigation", { name: "Recent messages" })).toBeHidden();
    await accessible();

    await page.setViewportSize({ width: 1300, height: 780 });
    await page.goto("/groups/long-beds");
    await expect(beside.getByRole("region", { name: "Rules" })).toContainText("Close the gate.");
    await expect(beside.getByRole("region", { name: "Moderators" })).toContainText("Tomas Varga");
    await accessible();
    await followLink(beside.getByRole("link", { name: "About the group" }));
    await expect(main(page)).toContainText("Close the gate.");
    await expect(beside.getByRole("region")).toHaveCount(0);

    await page.setViewportSize(NARROW[0]!);
    await page.goto("/search?q=beds+type:discussions");
    await expect(beside).toBeHidden();
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await accessible();
    await followLink(
      beside.getByRole("navigation", { name: "Order" }).getByRole("link", { name: "Newest first" }),
    );
    await expect(beside).toBeHidden();
    await expect(main(page).getByRole("searchbox")).toHaveValue(/sort:new/);

    await page.setViewportSize({ width: 1300, height: 780 });
    await page.goto("/messages");
    await expect(page.getByRole("navigation", { name: "Recent messages" })).toHaveCount(0);
  },
);

test("a guest can open the side panel before hydration, and it stays open", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.setViewportSize(NARROW[0]!);
  await page.goto("/groups/long-beds?sort=top");
  await followLink(main(page).getByRole("link", { name: "What do we do about the water?" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What do we do about the water?");
  await page.reload();
  await page.getByRole("button", { name: "Discussions", exact: true }).click();
  if (javaScriptEnabled) await waitForHydration(page);
  const beside = page.getByRole("navigation", { name: "Discussions in The Long Beds" });
  await expect(beside).toBeVisible();
  await followLink(beside.getByRole("link", { name: "How the beds work (read this before you dig)" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "How the beds work (read this before you dig)",
  );
  await expect(beside).toBeHidden();
});

import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test, JAVASCRIPT_ONLY } from "../support/browser/fixtures.ts";
import { chooseByMode, clickButton, followLink, main, uniqueName } from "../support/browser/steps.ts";

async function find(page: Page, name: string) {
  await page.goto("/users");
  await main(page).getByRole("searchbox").fill(name);
  await clickButton(page, "Search");
  await followLink(main(page).getByRole("link", { name, exact: true }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

test(
  "a profile shows each viewer what they may see",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    await page.goto("/users/tomas");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tomas Varga");
    await expect(page.getByText("shows this profile to members only")).toBeVisible();
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await accessible();

    await signInAs("mira");
    await find(page, "Tomas Varga");
    await expect(page.getByText("Hydraulic engineer")).toBeVisible();
    await expect(
      main(page).getByRole("list", { name: "Groups in common" }).getByRole("link", { name: "The Long Beds" }),
    ).toBeVisible();
    await accessible();
    await followLink(main(page).getByRole("link", { name: "Discussions", exact: true }));
    await expect(main(page).getByRole("heading", { level: 3 }).first()).toBeVisible();
    await accessible();
    const groups = main(page).getByRole("link", { name: "Groups", exact: true });
    await groups.click();
    await expect(groups).toHaveAttribute("aria-current", "page");
    await expect(main(page).getByRole("link", { name: "Chain & Spoke" })).toBeVisible();

    await page.goto("/users/mira");
    await expect(main(page).getByRole("link", { name: "Edit profile" })).toBeVisible();
    expect((await page.goto("/users/nobody-of-that-name"))?.status()).toBe(404);
  },
);

test("two people become friends, and end the friendship", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  const [asker, asked] = chooseByMode(javaScriptEnabled, ["kenji", "zofia"], ["grace.o", "hana"]);
  await signInAs(asker);
  await page.goto("/myFriends");
  await page.getByLabel("Username", { exact: true }).fill(`@${asked}`);
  await page.getByLabel("A note (optional)").fill("From the garden gate.");
  await clickButton(page, "Send request");
  await expect(main(page).getByRole("link", { name: "Sent", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await expect(main(page).getByText(`@${asked}`)).toBeVisible();

  const other = await another(asked);
  await other.goto("/myFriends?tab=received");
  await expect(other.getByText("From the garden gate.")).toBeVisible();
  const line = main(other)
    .getByRole("listitem")
    .filter({ hasText: `@${asker}` });
  await line.getByRole("button", { name: /^Accept/ }).click();
  await expect(line).toHaveCount(0);

  await page.goto(`/users/${asked}`);
  await accessible();
  await main(page).getByLabel("You are friends").click();
  await main(page).locator("summary", { hasText: "Remove from friends" }).click();
  await clickButton(page, /^Remove (?!from )/);
  await expect(main(page).getByRole("button", { name: "Add friend" })).toBeVisible();
});

test("a block makes both people invisible to each other until it is removed", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  const [blocker, blocked] = chooseByMode(javaScriptEnabled, ["pavel", "sven.h"], ["leila", "chidi"]);
  await signInAs(blocker);
  await page.goto(`/users/${blocked}`);
  await main(page)
    .getByLabel(/^Actions for/)
    .click();
  await main(page).locator("summary", { hasText: "Block…" }).click();
  await clickButton(page, /^Block /);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You have blocked/);
  await accessible();
  const other = await another(blocked);
  expect((await other.goto(`/users/${blocker}`))?.status()).toBe(404);
  await clickButton(page, "Unblock");
  await expect(main(page).getByRole("link", { name: "About" })).toBeVisible();
  expect((await other.goto(`/users/${blocker}`))?.status()).toBe(200);
});

test(
  "an unknown username shows an error beside its field and keeps the typed text",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("ines");
    await page.goto("/myFriends");
    await page.getByLabel("Username", { exact: true }).fill("nobody-here");
    await clickButton(page, "Send request");
    await expect(page.getByText("No member has that username.").first()).toBeVisible();
    await expect(page.getByLabel("Username", { exact: true })).toHaveValue("nobody-here");
  },
);

test("a message is sent and answered, and only its two participants can read it", async ({
  page,
  signInAs,
  javaScriptEnabled,
  accessible,
  another,
}) => {
  const [writer, reader] = chooseByMode(javaScriptEnabled, ["mira", "tomas"], ["chidi", "hana"]);
  const words = uniqueName("Is the tank full?");
  await signInAs(writer);
  await page.goto(`/messages?to=${reader}`);
  await main(page).getByLabel("Message", { exact: true }).fill(words);
  await clickButton(page, "Send");
  await expect(page).toHaveURL(/\/conversations\//);
  await expect(main(page).getByText(words)).toBeVisible();
  await accessible();
  // Leaves the conversation: an open page would show the answer and mark it as read.
  const address = page.url();
  await page.goto("/rules");

  const other = await another(reader);
  await other.goto("/messages");
  await followLink(main(other).getByRole("link").filter({ hasText: words }));
  const answer = uniqueName("To the brim.");
  await other.getByLabel("Write a message").fill(answer);
  await main(other).getByRole("button", { name: "Send", exact: true }).click();
  await expect(main(other).getByText(answer)).toBeVisible();
  await expect(other.getByLabel("Write a message")).toHaveValue("");

  await page.goto(address);
  await expect(main(page).getByText("New since your last visit")).toBeVisible();
  await expect(main(page).getByText(answer)).toBeVisible();
  if (javaScriptEnabled) await expect(main(page).getByText(answer)).toBeInViewport({ ratio: 0.9 });

  const stranger = await another("ada");
  expect((await stranger.goto(address))?.status()).toBe(404);
});

test(
  "a first message from a stranger waits until it is accepted",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible, another }) => {
    const [writer, reader] = ["agnes", "kenji"];
    await signInAs(writer);
    await page.goto("/messages");
    await page.locator("summary", { hasText: "New message" }).click();
    await page.getByLabel("To", { exact: true }).fill(reader);
    await main(page).getByLabel("Message", { exact: true }).fill("We met at the repair table.");
    await clickButton(page, "Send");
    await expect(main(page).getByText("has not accepted your message yet")).toBeVisible();
    await expect(page.getByLabel("Write a message")).toHaveCount(0);

    const other = await another(reader);
    await other.goto("/messages?tab=requests");
    // The deletion dialog names the author.
    await main(other)
      .getByRole("listitem")
      .filter({ hasText: "We met at the repair table." })
      .locator("summary")
      .filter({ hasText: "Delete…" })
      .click();
    await expect(
      main(other).getByText(/^The request is deleted for you and cannot be restored\./),
    ).toBeVisible();
    await expect(main(other).getByRole("button", { name: /^Delete request of/ })).toBeVisible();
    await other.goto("/messages?tab=requests");
    await followLink(main(other).getByRole("link").filter({ hasText: "We met at the repair table." }));
    await expect(main(other).getByText("wants to message you")).toBeVisible();
    await main(other).getByRole("button", { name: "Accept", exact: true }).click();
    await expect(main(other).getByText("wants to message you")).toHaveCount(0);
    await page.reload();
    await expect(page.getByLabel("Write a message")).toBeVisible();
    await accessible();
  },
);

/** Creates a picture whose left half is red and whose right half is blue. */
const halves = async () =>
  sharp({ create: { width: 600, height: 400, channels: 3, background: "#c00" } })
    .composite([
      { input: { create: { width: 300, height: 400, channels: 3, background: "#00c" } }, left: 300, top: 0 },
    ])
    .png()
    .toBuffer();

const photoOf = async (page: Page, alt: string) => {
  const answer = await page.request.get(
    (await main(page).getByRole("img", { name: alt }).getAttribute("src"))!,
  );
  return (await sharp(await answer.body()).stats()).dominant;
};

test("a photo is changed and removed", async ({ page, signInAs, javaScriptEnabled, accessible }) => {
  const [username] = chooseByMode(javaScriptEnabled, ["fenna", ""], ["wendell", ""]);
  await signInAs(username);
  await page.goto(`/users/${username}`);
  await followLink(main(page).getByRole("link", { name: "Photo", exact: true }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your photo");
  await page
    .getByLabel("Choose a picture")
    .setInputFiles({ name: "halves.png", mimeType: "image/png", buffer: await halves() });
  if (javaScriptEnabled) await toTheRightByKeys(page);
  else await page.getByLabel("Right", { exact: true }).check();
  const alt = uniqueName("A field in blue");
  await page.getByLabel("Alt text", { exact: true }).fill(alt);
  await accessible();
  await page.getByLabel("Alt text", { exact: true }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/users\/[0-9a-f-]{36}$/);
  const seen = await photoOf(page, alt);
  expect(seen.b).toBeGreaterThan(seen.r);

  await followLink(main(page).getByRole("link", { name: "Photo", exact: true }));
  await clickButton(page, "Remove photo");
  await expect(main(page).getByRole("img", { name: alt })).toHaveCount(0);
});

/** Keyboard only: the crop frame takes the arrow keys and plus. */
async function toTheRightByKeys(page: Page) {
  const frame = page.getByRole("application", { name: "Visible part" });
  await expect(frame).toBeVisible();
  await page.getByLabel("Choose a picture").focus();
  await page.keyboard.press("Tab");
  await expect(frame).toBeFocused();
  await page.keyboard.press("+");
  for (let n = 0; n < 20; n += 1) await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("slider", { name: "Zoom" })).toHaveValue("1.1");
}

test(
  "an invalid picture is rejected with an explanation",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs }) => {
    await signInAs("noor");
    await page.goto("/users/noor");
    await followLink(main(page).getByRole("link", { name: "Photo", exact: true }));
    await page
      .getByLabel("Choose a picture")
      .setInputFiles({ name: "letter.png", mimeType: "image/png", buffer: Buffer.from("Dear Noor") });
    await clickButton(page, "Save photo");
    await expect(
      page.getByText(/“letter.png” \(image\/png\) is not a picture we can read/).first(),
    ).toBeVisible();
    expect((await page.goto("/users/editPhoto/tomas"))?.status()).toBe(404);
  },
);

test(
  "a header picture is replaced by a background",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, accessible }) => {
    const [username] = ["fenna", ""];
    await signInAs(username);
    await page.goto(`/users/${username}`);
    await followLink(main(page).getByRole("link", { name: "Cover", exact: true }));
    await accessible();
    await page.getByLabel("Plum").check();
    await clickButton(page, "Use background");
    await followLink(main(page).getByRole("link", { name: "Cover", exact: true }));
    await expect(page.getByLabel("Plum")).toBeChecked();
  },
);

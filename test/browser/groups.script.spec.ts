import { expect, test } from "../support/browser/fixtures.ts";
import {
  addDocument,
  clickButton,
  clickLink,
  createGroup,
  followLink,
  main,
  openMenu,
  startDiscussion,
  uniqueName,
} from "../support/browser/steps.ts";

test("a join request and the decision on it appear at once on open pages", async ({
  page,
  signInAs,
  another,
}) => {
  const name = uniqueName("Bell ringers");
  await signInAs("tomas");
  await createGroup(page, name, "private", "request");
  const address = new URL(page.url()).pathname;
  const ada = await another("ada");
  await page.goto(`${address}/manage/requests`);
  await expect(main(page).getByText("No open requests.")).toBeVisible();

  await ada.goto(address);
  await clickButton(ada, "Request to join");
  await expect(main(ada).getByText("Your join request was sent.")).toBeVisible();
  await clickButton(page, /^Approve: /);
  await expect(main(page).getByText("No open requests.")).toBeVisible();

  await expect(main(ada).getByText("Your join request was sent.")).toBeHidden();
  await expect(main(ada).getByLabel(/^Your role: /)).toBeVisible();
  await page.goto(`${address}/manage/members`);
  await main(page).locator("summary", { hasText: "Manage…" }).click();
  await main(page).locator("summary", { hasText: "Remove…" }).click();
  await main(page)
    .getByLabel(/^Reason \(for/)
    .first()
    .fill("Out of tune.");
  await clickButton(page, "Remove");
  await expect(main(ada).getByText("Out of tune.")).toBeVisible();
  await expect(main(ada).getByLabel(/^Your role: /)).toBeHidden();
});

test("the response to a form stays visible while the page updates", async ({ page, signInAs, another }) => {
  const name = uniqueName("Bell casters");
  await signInAs("tomas");
  await createGroup(page, name, "private", "request");
  const address = new URL(page.url()).pathname;
  const asks = async (who: string) => {
    const window = await another(who);
    await window.goto(address);
    await clickButton(window, "Request to join");
    await expect(main(window).getByText("Your join request was sent.")).toBeVisible();
  };
  const requests = (count: number) =>
    main(page).getByRole("link", { name: new RegExp(`^Requests\\D*${count}$`) });

  await page.goto(`${address}/manage/start`);
  await main(page).getByLabel("Link of a discussion or resource").fill("https://example.org/elsewhere");
  await clickButton(page, "Add");
  const refused = main(page).getByText("That is not a discussion or resource of this group.").first();
  await expect(refused).toBeVisible();
  await asks("ada");
  await expect(requests(1)).toBeVisible();
  await expect(refused).toBeVisible();

  // An invitation link is shown only once.
  await page.goto(`${address}/manage/invitations`);
  await openMenu(page, "Invite link");
  await clickButton(page, "Create link");
  await expect(main(page).getByLabel(/^Here is your link/)).toHaveValue(/\/invite\//);
  await asks("hana");
  await expect(requests(2)).toBeVisible();
  await expect(main(page).getByLabel(/^Here is your link/)).toHaveValue(/\/invite\//);
  await clickLink(page, /^Members/);
  await expect(main(page).getByLabel(/^Here is your link/)).toHaveCount(0);
});

test("a ban appears at once on the open page, and the typed text is kept", async ({
  page,
  signInAs,
  accessible,
  another,
}) => {
  const name = uniqueName("Wood turners");
  await signInAs("tomas");
  await createGroup(page, name, "private", "request");
  const address = new URL(page.url()).pathname;
  const ines = await another("ines");
  await ines.goto(address);
  await clickButton(ines, "Request to join");
  await expect(main(ines).getByText("Your join request was sent.")).toBeVisible();
  await page.goto(`${address}/manage/requests`);
  await clickButton(page, /^Approve: /);
  await expect(main(page).getByText("No open requests.")).toBeVisible();
  await startDiscussion(page, uniqueName("Whose lathe is it"), "It hums.", address.split("/").pop());
  await ines.goto(page.url());
  await expect(ines.getByText("1 other person is reading")).toBeVisible();
  await ines.getByLabel("Your reply").fill("Mine, since the spring.");

  await addDocument(page, uniqueName("Oiling a lathe"), "Once a month.", address.split("/").pop());
  const reader = await another("ines");
  await reader.goto(page.url());
  await expect(reader.locator("section[data-listening]")).toBeAttached();
  await reader.getByLabel("Your comment").fill("Twice a month.");

  await page.goto(`${address}/manage/members`);
  await main(page).locator("summary", { hasText: "Manage…" }).click();
  await main(page).locator("summary", { hasText: "Ban…" }).click();
  await main(page)
    .getByLabel(/^Reason \(for/)
    .last()
    .fill("The lathe ran all night.");
  await clickButton(page, "Ban");

  await expect(main(ines).getByRole("heading", { level: 1 })).toHaveText("No longer available");
  await expect(main(ines).getByLabel("Your unsent text")).toHaveValue("Mine, since the spring.");
  await expect(main(ines).getByText("It hums.")).toHaveCount(0);
  await followLink(main(ines).getByRole("link", { name: `Go to ${name}` }));
  await expect(main(ines).getByText("The lathe ran all night.")).toBeVisible();
  await accessible();

  await expect(main(reader).getByRole("heading", { level: 1 })).toHaveText("No longer available");
  await expect(main(reader).getByLabel("Your unsent text")).toHaveValue("Twice a month.");
  await followLink(main(reader).getByRole("link", { name: "Go to Resources" }));
  await expect(main(reader).getByRole("heading", { level: 1, name: "Resources" })).toBeVisible();
});

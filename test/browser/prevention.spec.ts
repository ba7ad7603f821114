import { expect, JAVASCRIPT_ONLY, test } from "../support/browser/fixtures.ts";
import { followLink } from "../support/browser/steps.ts";
import { createNewMember, fillRegistration } from "../support/browser/registration-steps.ts";

test("a moderator watches a word and blocks an address, and members see the reason of each refusal", async ({
  page,
  signInAs,
  accessible,
  javaScriptEnabled,
}) => {
  const word = `quibble${javaScriptEnabled ? "script" : "plain"}`;
  await signInAs("ada");
  await page.goto("/admin/settings?search=watched");
  const main = page.getByRole("main");
  await followLink(main.getByRole("link", { name: "Watched words" }));
  await expect(
    page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name: "Watched words" }),
  ).toHaveAttribute("aria-current", "page");
  const field = main.getByLabel("Word or pattern");
  await field.fill("the*");
  await main.getByRole("button", { name: "Test on recent posts" }).click();
  await expect(main.getByRole("heading", { name: /matches in the last/ })).toBeVisible();
  await expect(main.locator("mark").first()).toHaveText(/^the/i);
  await expect(field).toHaveValue("the*");
  await accessible();
  await field.fill(word);
  await main.getByLabel("What happens").selectOption("block");
  await main.getByLabel("Explanation (optional)").fill("Please stay on the subject.");
  await main.getByRole("button", { name: "Add word" }).click();
  await expect(main.getByText("The watched word was saved.")).toBeVisible();
  await followLink(main.getByRole("link", { name: `Edit “${word}”` }));
  await expect(field).toHaveValue(word);
  await accessible();

  await page.context().clearCookies();
  await signInAs("mira");
  expect((await page.goto("/admin/watched-words"))?.status()).toBe(404);
  await page.goto("/resources/new");
  await main.getByLabel("Title").fill(`A ${word} of gardens`);
  await main.getByLabel("Address").fill("https://gardens.example/");
  await main.getByRole("button", { name: /^Add/ }).click();
  await expect(
    main.getByText(`“${word}” is blocked on this site. Please stay on the subject.`).first(),
  ).toBeVisible();

  await page.context().clearCookies();
  await signInAs("ada");
  await page.goto("/admin/watched-words");
  await main.getByRole("button", { name: `Remove “${word}”` }).click();
  await expect(main.getByText("The watched word was removed.")).toBeVisible();

  const domain = `${word}.example`;
  await page.goto("/admin/blocked-addresses");
  await main.getByLabel("Email domain, email address or network").fill("127.0.0.0/8");
  await main.getByLabel("Reason").fill("Throw-away addresses are not accepted.");
  await main.getByRole("button", { name: "Block address" }).click();
  await expect(main.getByText(/You are using this network yourself/).first()).toBeVisible();
  await main.getByLabel("Email domain, email address or network").fill(domain);
  await main.getByRole("button", { name: "Block address" }).click();
  await expect(main.getByText("The address was blocked.")).toBeVisible();
  await accessible();
  await page.context().clearCookies();
  await page.goto("/register");
  await fillRegistration(page, { ...createNewMember(), email: `quinn@${domain}` });
  await expect(main.getByText(/are blocked here. Reason: Throw-away addresses/).first()).toBeVisible();
});

test(
  "a moderator lists a domain, and a link to it is refused with an error that names it",
  { tag: JAVASCRIPT_ONLY },
  async ({ page, signInAs, another, accessible }) => {
    const domain = `shop${Date.now().toString(36)}.example`;
    await signInAs("ada");
    await page.goto("/admin/link-domains");
    const main = page.getByRole("main");
    await main.getByRole("textbox", { name: "Domain" }).fill("no domain");
    await main.getByRole("button", { name: "Save domain" }).click();
    await expect(main.getByText("Enter a domain such as example.com.").first()).toBeVisible();
    await main.getByRole("textbox", { name: "Domain" }).fill(`https://${domain}/sale`);
    await main.getByLabel("What happens").selectOption("block");
    await main.getByLabel("Explanation (optional)").fill("No adverts, please.");
    await main.getByRole("button", { name: "Save domain" }).click();
    await expect(main.getByText("The domain was saved.")).toBeVisible();
    await accessible();

    const member = await another("mira");
    expect((await member.goto("/admin/link-domains"))?.status()).toBe(404);
    await member.goto("/resources/new");
    await member.getByLabel("Title").fill("A shop");
    await member.getByLabel("Address").fill(`https://www.${domain}/`);
    await member.getByRole("main").getByRole("button", { name: /^Add/ }).click();
    await expect(
      member.getByText(`Links to ${domain} are blocked on this site. No adverts, please.`).first(),
    ).toBeVisible();

    await main.getByRole("button", { name: `Remove “${domain}”` }).click();
    await expect(main.getByText("The domain was removed.")).toBeVisible();
  },
);

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/browser/fixtures.ts";

/** A page of another origin. */
const elsewhere = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<!DOCTYPE html><title>Elsewhere</title>"),
);
test.beforeAll(() => new Promise<void>((stands) => elsewhere.listen(0, "127.0.0.1", stands)));
test.afterAll(() => void elsewhere.close());

const BUNDLE = readFileSync("node_modules/backendless/dist/backendless.min.js", "utf8");

type User = Record<string, unknown>;
type Client = {
  initApp: (options: unknown) => void;
  serverURL: string;
  UserService: Record<string, (...given: unknown[]) => Promise<never>>;
};

test("the published SDK signs a person in from a page of another origin", async ({ page, baseURL }) => {
  const info = (await (await page.request.get("/api/info")).json()) as { appId: string; apiKey: string };
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: BUNDLE });
  const result = await page.evaluate(
    async ({ info: { appId, apiKey }, server }) => {
      const { Backendless } = window as unknown as { Backendless: Client };
      const fault = (call: Promise<unknown>) =>
        call
          .then(() => null)
          .catch(({ code, status }: { code: number; status: number }) => ({ code, status }));
      Backendless.serverURL = `${server}/`;
      Backendless.initApp({ appId, apiKey });
      const users = Backendless.UserService;
      // An account that no other test signs in to: a wrong password delays the next attempts.
      const wrong = await fault(users["login"]!("nobody-there", "wrong"));
      const self: User = await users["login"]!("mira", "lindenhof-garden-26");
      const roles: string[] = await users["getUserRoles"]!();
      const valid: boolean = await users["isValidLogin"]!();
      const other = await fault(
        users["update"]!({ objectId: "01900000-0000-7000-8000-000000000000", name: "X" }),
      );
      await users["logout"]!();
      // Only the server's origin is given, so no key is in the address.
      Backendless.initApp(server);
      const guest: User = await users["loginAsGuest"]!();
      await users["logout"]!();
      return { wrong, self, roles, valid, other, guest };
    },
    { info, server: baseURL! },
  );
  expect(result).toMatchObject({
    wrong: { code: 3003, status: 400 },
    self: {
      ___class: "Users",
      username: "mira",
      email: "mira@example.org",
      "user-token": expect.stringMatching(/^[\w-]{43}$/),
    },
    valid: true,
    other: { code: 1000 },
    guest: { userStatus: "GUEST" },
  });
  expect(result.roles).toEqual(expect.arrayContaining(["AuthenticatedUser", "JSUser"]));
});

test("a page announces a newer build, and the next navigation is a full page load", async ({ page }) => {
  await page.route("**/builds/latest.json", (route) => route.fulfill({ json: { id: "another" } }));
  const notice = page.getByText("A newer version is ready.");
  const loads: string[] = [];
  page.on(
    "request",
    (request) => request.isNavigationRequest() && loads.push(new URL(request.url()).pathname),
  );
  for (const [from, link] of [
    ["/groups", page.locator("main a[href^='/groups/']")],
    ["/resources", page.locator("main a[href^='/resources/']")],
    ["/login", page.getByRole("contentinfo").getByRole("link", { name: "Rules" })],
    ["/register", page.getByRole("contentinfo").getByRole("link", { name: "Rules" })],
  ] as const) {
    await page.goto(from);
    await page.locator("form input:not([type=hidden])").first().focus();
    await expect(notice, from).toBeVisible();
    const to = new URL((await link.first().getAttribute("href"))!, page.url()).pathname;
    const whole = page.waitForEvent("load");
    await link.first().click();
    await whole;
    expect(loads.at(-1), from).toBe(to);
  }
});

test("the sign-in link of a document or search leads back to the same page", async ({ page }) => {
  await page.goto("/search?q=seeds");
  const way = page.getByRole("link", { name: "Sign in" }).filter({ visible: true });
  await expect(way).toHaveAttribute("href", "/login?next=%2Fsearch%3Fq%3Dseeds");
  await page.goto("/resources");
  const document = page.locator("main a[href^='/resources/']").filter({ hasText: "Watering a bed" }).first();
  const to = (await document.getAttribute("href"))!;
  await page.goto(to);
  await expect(way).toHaveAttribute("href", `/login?next=${encodeURIComponent(to)}`);
});

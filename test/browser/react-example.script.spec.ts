import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { build, type Rolldown } from "vite";
import { DEMO_PASSWORD } from "../../src/app/secrets.ts";
import { expect, test } from "../support/browser/fixtures.ts";

/** The page of `examples/react-page` built as its authors would, on its own origin. */
let elsewhere: Server;
test.beforeAll(async () => {
  const built = (await build({
    root: "examples/react-page",
    logLevel: "silent",
    define: {
      "import.meta.env.VITE_KITH_URL": JSON.stringify(`http://127.0.0.1:${process.env["KITH_TEST_PORT"]}`),
    },
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const files = new Map(
    built.output.map((it) => [`/${it.fileName}`, it.type === "chunk" ? it.code : it.source]),
  );
  const types: Record<string, string> = { js: "text/javascript", css: "text/css", html: "text/html" };
  elsewhere = createServer(({ url = "/" }, response) => {
    const path = url === "/" ? "/index.html" : url;
    response.writeHead(files.has(path) ? 200 : 404, {
      "content-type": types[path.split(".").at(-1)!] ?? "text/plain",
    });
    response.end(files.get(path));
  });
  await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
});
test.afterAll(() => void elsewhere.close());

async function openAs(page: Page, login: string) {
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await page.getByLabel("Name or address").fill(login);
  await page.getByLabel("Password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Signed in as")).toBeVisible();
}

async function add(page: Page, title: string) {
  await page.getByLabel("What is to be done").fill(title);
  await page.getByRole("button", { name: "Add" }).click();
}

test("the React example shows everyone when a task is created, done or deleted", async ({
  page,
  another,
}) => {
  await openAs(page, "mira");
  // The first task creates the table; later pages subscribe to it.
  await add(page, "Sharpen the spade");
  await expect(page.getByRole("listitem")).toHaveText([/Sharpen the spade/]);
  const tomas = await another();
  await openAs(tomas, "tomas");
  const task = (where: Page, name: string) => where.getByRole("checkbox", { name });
  await expect(task(tomas, "Sharpen the spade")).not.toBeChecked();

  await add(tomas, "Feed the peas");
  await expect(page.getByRole("listitem")).toHaveText([/Feed the peas/, /Sharpen the spade/]);
  await task(page, "Sharpen the spade").click();
  await expect(task(tomas, "Sharpen the spade")).toBeChecked();
  await page.getByRole("button", { name: "Remove Sharpen the spade" }).click();
  await expect(tomas.getByRole("listitem")).toHaveText([/Feed the peas/]);

  // Only its author can change a task.
  await task(page, "Feed the peas").click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await expect(task(page, "Feed the peas")).not.toBeChecked();
});

test("the React example explains a failed sign-in", async ({ page }) => {
  await page.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  // An account that no other test signs in to: a wrong password delays the next attempts.
  await page.getByLabel("Name or address").fill("nobody-there");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText(/Invalid|password|login/i);
});

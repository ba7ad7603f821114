import { expect, test } from "vitest";
import { servedPages } from "./served.ts";
import { testDatabase } from "./setup/database.ts";

const { server } = await servedPages(await testDatabase());

/** A form that is refused before any page is made for it. */
const refused = (language: string, headers: Record<string, string>, payload = "login=mira") =>
  server.inject({
    method: "POST",
    url: "/login",
    headers: {
      accept: "text/html",
      "accept-language": language,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    payload,
  });

test("a form from elsewhere is refused in the reader's words", async () => {
  const { statusCode, body } = await refused("de", { origin: "https://elsewhere.test" });
  expect(statusCode).toBe(403);
  expect(body).toContain('<html lang="de" dir="ltr">');
  expect(body).toContain("<h1>Dieses Formular kam nicht von dieser Seite.</h1>");
  expect(body).toContain("Zur Startseite");
});

test("what is too large is refused in the reader's words, in their direction", async () => {
  const { statusCode, body } = await refused("ar", { "sec-fetch-site": "same-origin" }, "x".repeat(1_100_000));
  expect(statusCode).toBe(413);
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).not.toMatch(/[a-z]{4,} [a-z]{2,} [a-z]{2,}<\/h1>/);
});

test("a program is answered as before", async () => {
  const { statusCode, body } = await refused("de", { accept: "application/json", origin: "https://elsewhere.test" });
  expect(statusCode).toBe(403);
  expect(JSON.parse(body)).toEqual({ code: 403, message: "That form did not come from this site." });
});

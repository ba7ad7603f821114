import { expect, test } from "vitest";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const { server } = await serveBuiltPages(await testDatabase());

/** A form that is rejected before any page is rendered. */
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

test("a cross-site form is rejected in the reader's language", async () => {
  const { statusCode, body } = await refused("de", { origin: "https://elsewhere.test" });
  expect(statusCode).toBe(403);
  expect(body).toContain('<html lang="de" dir="ltr">');
  expect(body).toContain("<h1>Das Formular kam nicht von dieser Website.</h1>");
  expect(body).toContain("Zur Startseite");
});

test("a body that is too large is rejected in the reader's language and direction", async () => {
  const { statusCode, body } = await refused(
    "ar",
    { "sec-fetch-site": "same-origin" },
    "x".repeat(1_100_000),
  );
  expect(statusCode).toBe(413);
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).not.toMatch(/[a-z]{4,} [a-z]{2,} [a-z]{2,}<\/h1>/);
});

test("API clients get the usual JSON error", async () => {
  const { statusCode, body } = await refused("de", {
    accept: "application/json",
    origin: "https://elsewhere.test",
  });
  expect(statusCode).toBe(403);
  expect(JSON.parse(body)).toEqual({ code: 403, message: "The form did not come from this site." });
});

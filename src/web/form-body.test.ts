import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseAnswersForm } from "./account/settings/parse-profile-form.ts";
import { MAX_FORM_FIELDS, readForm } from "./form-body.ts";
import { fieldsByName, parseForm } from "./form-parsing.ts";

const URL_ENCODED = "application/x-www-form-urlencoded";
const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

const names = (count: number) => Array.from({ length: count }, (_, n) => `field-${n}`);

const post = (body: BodyInit, type?: string) =>
  new Request("https://kith.test/login", {
    method: "POST",
    body,
    ...(type && { headers: { "content-type": type } }),
  });

const part = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const multipart = (count: number) =>
  `${names(count)
    .map((name) => part(name, "x"))
    .join("")}--${BOUNDARY}--\r\n`;

describe("form body", () => {
  test.each([
    ["URL-encoded", (count: number) => post(names(count).join("&"), URL_ENCODED)],
    ["multipart", (count: number) => post(multipart(count), `multipart/form-data; boundary=${BOUNDARY}`)],
    [
      "multipart with a quoted boundary",
      (count: number) => post(multipart(count), `Multipart/Form-Data; x=1; boundary="${BOUNDARY}"`),
    ],
  ])(
    "in the format %s may have exactly the maximum number of fields, but not one more",
    async (_kind, form) => {
      await expect(readForm(form(MAX_FORM_FIELDS + 1))).rejects.toMatchObject({
        reason: "too-large",
        message: `A form can have at most ${MAX_FORM_FIELDS} fields.`,
      });
      expect([...(await readForm(form(MAX_FORM_FIELDS))).keys()]).toEqual(names(MAX_FORM_FIELDS));
    },
  );

  test("cannot bypass the field limit by a second boundary in the content type", async () => {
    const type = `multipart/form-data; boundary=${BOUNDARY}; boundary=other-boundary-that-never-occurs`;
    await expect(readForm(post(multipart(MAX_FORM_FIELDS + 1), type))).rejects.toMatchObject({
      reason: "too-large",
    });
  });

  test("contains files and texts of a multipart form as they were sent", async () => {
    const form = new FormData();
    form.append("text", "Grüße\r\n--not a boundary");
    form.append("file", new File(["\r\n--\r\n"], "späti.txt", { type: "text/plain" }));
    const fields = await readForm(post(form));
    expect(fields.get("text")).toBe("Grüße\r\n--not a boundary");
    const file = fields.get("file") as File;
    expect([file.name, file.type, await file.text()]).toEqual(["späti.txt", "text/plain", "\r\n--\r\n"]);
  });

  test.each([
    [
      "no content type",
      new Request("https://kith.test/", { method: "POST", body: new Uint8Array([1]) }),
      "wrong-type",
    ],
    ["JSON", post("{}", "application/json"), "wrong-type"],
    ["a content type that cannot be read", post("a=1", `${URL_ENCODED}/x`), "wrong-type"],
    ["multipart without a boundary", post("x", "multipart/form-data"), "invalid"],
    [
      "multipart that breaks off",
      post(part("a", "b"), `multipart/form-data; boundary=${BOUNDARY}`),
      "invalid",
    ],
  ])("refuses %s", async (_what, request, reason) => {
    await expect(readForm(request)).rejects.toMatchObject({ reason });
  });
});

/** A form without lookup by name, which would take quadratic time. */
function formWithoutLookups(pairs: [string, string][]): FormData {
  const form = new FormData();
  for (const [name, value] of pairs) form.append(name, value);
  form.getAll = () => {
    throw new Error("The form was searched by name.");
  };
  return form;
}

describe("form fields", () => {
  test("collects fields in one pass and keeps their order", () => {
    const form = formWithoutLookups([
      ["a[]", "1"],
      ["b", "x"],
      ["a[]", "2"],
      ["b", "y"],
      ["__proto__", "z"],
    ]);
    expect([...fieldsByName(form)]).toEqual([
      ["a[]", ["1", "2"]],
      ["b", ["x", "y"]],
      ["__proto__", ["z"]],
    ]);
  });

  test("become a list if the schema has a list, otherwise their first value", () => {
    const form = formWithoutLookups([
      ["a[]", "1"],
      ["b", "x\r\ny"],
      ["a[]", "2"],
      ["b", "z"],
    ]);
    expect(parseForm(z.object({ a: z.array(z.string()), b: z.string() }), form)).toEqual({
      a: ["1", "2"],
      b: "x\ny",
    });
  });

  test("cannot change object prototypes by their names", () => {
    const form = formWithoutLookups([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    expect(parseForm(z.record(z.string(), z.string()), form)).toEqual({ constructor: "y" });
  });

  test("with answers to a group's questions are collected in one pass", () => {
    const [one, other] = ["0198c5a0-0000-7000-8000-000000000001", "0198c5a0-0000-7000-8000-000000000002"];
    const form = formWithoutLookups([
      ["field[]", one],
      [one, "a"],
      ["field[]", other],
      [other, "b"],
      [other, "c"],
      [`audience-${one}`, "members"],
    ]);
    expect(parseAnswersForm(form)).toEqual([
      { fieldId: one, said: ["a"], audience: "members" },
      { fieldId: other, said: ["b", "c"], audience: "nobody" },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { TemplateForm, TrialForm } from "./push-forms.ts";
import { formatKeyValueLines } from "./key-value-lines.ts";

const GIVEN = { name: "frost", os: "ALL", body: "Frost" };

describe("push template form", () => {
  test("requires a name, a device kind and a text", () => {
    expect(TemplateForm.parse(GIVEN)).toEqual({
      name: "frost",
      os: "ALL",
      channel: null,
      title: "",
      subtitle: "",
      body: "Frost",
      sound: "",
      badge: null,
      headers: {},
    });
  });

  test("parses headers, one per line, and shows them in the same format", () => {
    const { headers, badge, channel } = TemplateForm.parse({
      ...GIVEN,
      headers: " bed: 7 \n\nurl: https://x.example:80/",
      badge: " 0 ",
      channel: " news ",
    });
    expect({ headers, badge, channel }).toEqual({
      headers: { bed: "7", url: "https://x.example:80/" },
      badge: 0,
      channel: "news",
    });
    expect(TemplateForm.parse({ ...GIVEN, headers: formatKeyValueLines(headers) }).headers).toEqual(headers);
  });

  test.each([
    [{ name: " " }, "name", "Enter a name."],
    [{ name: "a/b" }, "name", "A name has no slashes and no control characters."],
    [{ os: "WP" }, "os", "Choose a kind of device."],
    [{ body: " " }, "body", "Enter a text."],
    [{ badge: "-1" }, "badge", "Enter a whole number up to 99999."],
    [{ headers: "no colon" }, "headers", "Each line is a name, a colon and a text."],
    [{ title: "x".repeat(201) }, "title", "At most 200 characters."],
  ])("refuses %j", (given, field, sentence) => {
    const { error } = TemplateForm.safeParse({ ...GIVEN, ...given });
    expect([error?.issues[0]?.path[0], error?.issues[0]?.message]).toEqual([field, sentence]);
  });
});

test("a test push requires a device and accepts placeholder values", () => {
  expect(TrialForm.parse({ template: "frost", device: " phone ", values: "name: Mira" })).toEqual({
    template: "frost",
    device: "phone",
    values: { name: "Mira" },
  });
  expect(TrialForm.safeParse({ template: "frost", device: "" }).error?.issues[0]?.message).toBe(
    "Enter a device.",
  );
});

import { describe, expect, test } from "vitest";
import { toEnglish } from "#platform/messages";
import { findConditionFault, meetsCondition } from "./runs/run-conditions.ts";
import { findBadTemplate, fillTemplates, fillClause, fillText } from "./runs/run-templates.ts";

const scope = {
  trigger: {
    data: { name: "Ines", age: 34, tags: ["a", "b"], none: null, paid: true, address: { city: "Ulm" } },
  },
  order: { total: 12.5 },
};

describe("template", () => {
  test("as a whole text becomes the value itself, of any type", () => {
    expect(fillTemplates("{{trigger.data.age}}", scope)).toBe(34);
    expect(fillTemplates("{{ trigger.data.tags }}", scope)).toEqual(["a", "b"]);
    expect(fillTemplates({ who: "{{trigger.data.name}}", deep: ["{{order.total}}"] }, scope)).toEqual({
      who: "Ines",
      deep: [12.5],
    });
    expect(fillTemplates("{{trigger.data.tags[1]}}", scope)).toBe("b");
    expect(fillTemplates("{{trigger.data.tags.0}}", scope)).toBe("a");
  });

  test("within a text becomes the value as text, and null becomes empty", () => {
    expect(
      fillTemplates("Hello {{trigger.data.name}}, {{trigger.data.none}}{{nowhere.at.all}}!", scope),
    ).toBe("Hello Ines, !");
    expect(fillTemplates("{{trigger.data.address}} {{trigger.data.paid}}", scope)).toBe(
      '{"city":"Ulm"} true',
    );
  });

  test("reads only the data of the run", () => {
    for (const path of [
      "constructor",
      "trigger.constructor",
      "trigger.__proto__",
      "trigger.data.tags.length.x",
      "trigger.data.name.length",
    ])
      expect([path, fillTemplates(`{{${path}}}`, scope)]).toEqual([path, null]);
    expect(fillTemplates("{{trigger.data.name}}", { trigger: { data: { name: "{{order.total}}" } } })).toBe(
      "{{order.total}}",
    );
  });

  test("must contain a path, not an expression", () => {
    expect(findBadTemplate("{{trigger.data.name}} and {{ a[0].b-c }}")).toBeNull();
    for (const bad of ["{{2 + 2}}", "{{process.exit()}}", "{{ }}", "{{.a}}", "{{a..b}}"])
      expect([bad, findBadTemplate(bad)]).toEqual([bad, bad]);
  });

  test("cannot exceed the text limit of a run", () => {
    const long = { text: "x".repeat(50_000) };
    expect(() => fillTemplates("{{text}}".repeat(5), long)).toThrow(/more than 200000 characters/);
    expect(() => fillTemplates(["{{text}}", "{{text}}", "{{text}}", "{{text}}", "{{text}}"], long)).toThrow(
      /more than 200000 characters/,
    );
    expect(fillTemplates("{{text}}".repeat(4), long)).toHaveLength(200_000);
  });

  test("in a text field must resolve to a non-empty text", () => {
    expect(fillText(" {{trigger.data.name}} ", scope, "to")).toBe("Ines");
    expect(() => fillText("{{trigger.data.none}}", scope, "to")).toThrow(/^to:/);
  });

  test("becomes a literal in a clause, never part of the condition", () => {
    const hostile = { name: "x' or '1'='1", n: 3, nothing: null, yes: true };
    expect(fillClause("name = {{name}} and n > {{n}} and a = {{nothing}} and b = {{yes}}", hostile)).toBe(
      "name = 'x'' or ''1''=''1' and n > 3 and a = NULL and b = TRUE",
    );
  });
});

describe("condition", () => {
  test.each([
    ["trigger.data.age > 30", true],
    ["trigger.data.age > 30 and trigger.data.name = 'Tomas'", false],
    ["trigger.data.name like 'I%' or order.total < 1", true],
    ["order.total between 12 and 13", true],
    ["trigger.data.paid = true", true],
    ["not (trigger.data.paid = true)", false],
    ["trigger.data.none is null", true],
    ["nowhere.at.all is null", true],
    ["nowhere.at.all = 'x'", false],
    ["nowhere > 3", false],
    ["trigger.data.address->'$.city' = 'Ulm'", true],
    ["trigger.data.name in ('Ines', 'Mira')", true],
  ])("has the expected result: %s", (clause, expected) => {
    expect(meetsCondition(clause, scope)).toBe(expected);
  });

  test("gets rejected on saving when it is invalid, with its path", () => {
    expect(toEnglish(findConditionFault("a = ")!)).toMatch(/character/i);
    expect(findConditionFault("a = 1")).toBeNull();
    expect(() => meetsCondition("Beds[garden].name = 'x'", scope)).toThrow(/cannot follow relations/);
  });
});

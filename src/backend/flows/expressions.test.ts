import { describe, expect, test } from "vitest";
import { conditionFault, holds } from "./conditions.ts";
import { badTemplate, filled, filledClause, filledLine } from "./templates.ts";

const scope = {
  trigger: { data: { name: "Ines", age: 34, tags: ["a", "b"], none: null, paid: true, address: { city: "Ulm" } } },
  order: { total: 12.5 },
};

describe("template", () => {
  test("replaces a text that is one template with the value itself, of any type", () => {
    expect(filled("{{trigger.data.age}}", scope)).toBe(34);
    expect(filled("{{ trigger.data.tags }}", scope)).toEqual(["a", "b"]);
    expect(filled({ who: "{{trigger.data.name}}", deep: ["{{order.total}}"] }, scope)).toEqual({ who: "Ines", deep: [12.5] });
    expect(filled("{{trigger.data.tags[1]}}", scope)).toBe("b");
    expect(filled("{{trigger.data.tags.0}}", scope)).toBe("a");
  });

  test("writes values out within a text, and null as empty", () => {
    expect(filled("Hello {{trigger.data.name}}, {{trigger.data.none}}{{nowhere.at.all}}!", scope)).toBe("Hello Ines, !");
    expect(filled("{{trigger.data.address}} {{trigger.data.paid}}", scope)).toBe('{"city":"Ulm"} true');
  });

  test("reaches only the data of the run", () => {
    for (const path of [
      "constructor",
      "trigger.constructor",
      "trigger.__proto__",
      "trigger.data.tags.length.x",
      "trigger.data.name.length",
    ])
      expect([path, filled(`{{${path}}}`, scope)]).toEqual([path, null]);
    expect(filled("{{trigger.data.name}}", { trigger: { data: { name: "{{order.total}}" } } })).toBe("{{order.total}}");
  });

  test("accepts a path and nothing else", () => {
    expect(badTemplate("{{trigger.data.name}} and {{ a[0].b-c }}")).toBeNull();
    for (const bad of ["{{2 + 2}}", "{{process.exit()}}", "{{ }}", "{{.a}}", "{{a..b}}"])
      expect([bad, badTemplate(bad)]).toEqual([bad, bad]);
  });

  test("stays within the data a run may hold", () => {
    const long = { text: "x".repeat(50_000) };
    expect(() => filled("{{text}}".repeat(5), long)).toThrow(/more than 200000 characters/);
    expect(() => filled(["{{text}}", "{{text}}", "{{text}}", "{{text}}", "{{text}}"], long)).toThrow(/more than 200000 characters/);
    expect(filled("{{text}}".repeat(4), long)).toHaveLength(200_000);
  });

  test("must resolve to a non-empty text", () => {
    expect(filledLine(" {{trigger.data.name}} ", scope, "to")).toBe("Ines");
    expect(() => filledLine("{{trigger.data.none}}", scope, "to")).toThrow(/^to:/);
  });

  test("becomes a literal in a clause, never part of the condition", () => {
    const hostile = { name: "x' or '1'='1", n: 3, nothing: null, yes: true };
    expect(filledClause("name = {{name}} and n > {{n}} and a = {{nothing}} and b = {{yes}}", hostile)).toBe(
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
  ])("%s", (clause, expected) => {
    expect(holds(clause, scope)).toBe(expected);
  });

  test("rejects an invalid condition on saving, naming its path", () => {
    expect(conditionFault("a = ")).toMatch(/character/i);
    expect(conditionFault("a = 1")).toBeNull();
    expect(() => holds("Beds[garden].name = 'x'", scope)).toThrow(/no relations/);
  });
});

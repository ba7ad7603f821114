import { describe, expect, test } from "vitest";
import { joinLines, msg, toEnglish, toStoredMessage } from "./messages.ts";

describe("English text of a message", () => {
  test("contains the inserted values, including nested messages", () => {
    const what = msg("{count} times", { count: 12_000 });
    expect(toEnglish(msg("{place}: {what}", { place: "steps.0", what }))).toBe("steps.0: 12000 times");
  });

  test("leaves braces and quotes of a text without values unchanged", () => {
    expect(toEnglish("It's {not} a value")).toBe("It's {not} a value");
  });

  test("leaves braces in values unchanged", () => {
    expect(toEnglish(msg("''{name}'' is no path.", { name: "{{a'b}}" }))).toBe("'{{a'b}}' is no path.");
  });

  test("joins messages line by line", () => {
    expect(toEnglish(joinLines(["One.", msg("{n}.", { n: 2 })]))).toBe("One.\n2.");
  });
});

describe("stored message", () => {
  test("preserves its values", () => {
    const message = msg("{n} steps", { n: 3 });
    expect(JSON.parse(toStoredMessage(message))).toEqual(message);
  });

  test("has no characters that PostgreSQL refuses", () => {
    expect(JSON.parse(toStoredMessage("a\0b\ud800"))).toBe("ab\ufffd");
  });

  test("gets shortened in English when it is too long", () => {
    const stored: unknown = JSON.parse(toStoredMessage(msg("{text}!", { text: "x".repeat(5_000) })));
    expect(stored).toBe("x".repeat(500));
  });
});

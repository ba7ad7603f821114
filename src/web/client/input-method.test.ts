import { expect, test } from "vitest";
import { isForInputMethod } from "./input-method.ts";

test.each([
  ["while a word is composed", { isComposing: true, keyCode: 13 }, true],
  ["that Safari sends after the word", { isComposing: false, keyCode: 229 }, true],
  ["of its own", { isComposing: false, keyCode: 13 }, false],
])("isForInputMethod classifies Enter %s", (_when, press, expected) =>
  expect(isForInputMethod(press)).toBe(expected),
);

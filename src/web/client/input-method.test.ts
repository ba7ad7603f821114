import { expect, test } from "vitest";
import { isInputMethodKey } from "./input-method.ts";

test.each([
  ["while a word is composed", { isComposing: true, keyCode: 13 }, true],
  ["that Safari sends after composition", { isComposing: false, keyCode: 229 }, true],
  ["outside of composition", { isComposing: false, keyCode: 13 }, false],
])("isForInputMethod classifies Enter %s", (_when, press, expected) =>
  expect(isInputMethodKey(press)).toBe(expected),
);

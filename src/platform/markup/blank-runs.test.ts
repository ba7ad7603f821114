import { expect, test } from "vitest";
import { hasLongBlankRun } from "./index.ts";

test.each([
  ["no-break spaces", "&nbsp;"],
  ["spaces between line ends", "<i>&emsp;\n</i>"],
  ["spaces of preformatted text", "<pre> </pre>"],
  ["line breaks", "<br>\n"],
])("hasLongBlankRun finds a long run of %s", (_name, blanks) => {
  expect(hasLongBlankRun(`In ${blanks.repeat(500)}May.`)).toBe(true);
  expect(hasLongBlankRun(`In ${blanks.repeat(50)}May.`)).toBe(false);
  expect(hasLongBlankRun(`In ${`${blanks}May `.repeat(500)}`)).toBe(false);
});

test("hasLongBlankRun counts spaces between elements as one blank", () => {
  expect(hasLongBlankRun(`<p>In${" ".repeat(1_000)}May.</p>${"\n".repeat(1_000)}<p>Bye</p>`)).toBe(false);
});

test("hasLongBlankRun resets its count at pictures and table cells", () => {
  expect(hasLongBlankRun('&nbsp;<img src="https://example.org/a.png">'.repeat(1_000))).toBe(false);
  expect(hasLongBlankRun(`<table><tr>${"<td>&nbsp;</td>".repeat(1_000)}</tr></table>`)).toBe(false);
});

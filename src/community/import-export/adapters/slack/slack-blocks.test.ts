import { expect, test } from "vitest";
import { Blocks, blocksToSlackText } from "./slack-blocks.ts";
import { slackToMarkdown } from "./slack-text.ts";

test("nested lists and mixed styles in Slack blocks are converted", () => {
  const words = (text: string, style?: object) => ({ type: "text", text, ...(style && { style }) });
  const list = (indent: number, style: string, texts: string[], more: object = {}) => ({
    type: "rich_text_list",
    style,
    indent,
    elements: texts.map((one) => ({ type: "rich_text_section", elements: [words(one)] })),
    ...more,
  });
  const elements = [
    {
      type: "rich_text_section",
      elements: [
        words("all", { bold: true, italic: true, strike: true, code: false }),
        words(" "),
        words("x*y", { bold: true, code: true }),
        words(" "),
        { type: "user", user_id: "U1", style: { bold: true } },
        words(" "),
        { type: "link", url: "https://x.org", text: "x", style: { italic: true } },
      ],
    },
    list(2, "bullet", ["deep at once"]),
    list(0, "ordered", ["one", "two"]),
    list(1, "bullet", ["of two"]),
    list(3, "bullet", ["of that"]),
    list(0, "ordered", ["three"], { offset: 2 }),
  ];
  const slackText = blocksToSlackText(Blocks.parse([{ type: "rich_text", elements }]));
  expect(slackToMarkdown(slackText, { user: () => "Mo", channel: () => undefined })).toBe(
    "***~~all~~*** **`x*y`** **Mo** *[x](<https://x.org>)*\n- deep at once\n1. one\n2. two\n    - of " +
      "two\n        - of that\n3. three",
  );
});

import type { MarkdownIt, StateCore, Token } from "markdown-it";

const TASK_BOX = /^\[([ xX])\]\s+(?=\S)/;

/** Adds `- [ ] to do` and `- [x] done`: read-only checkboxes, labelled by their line. */
export function addTaskLists(md: MarkdownIt) {
  md.core.ruler.after("block", "task-lists", (state) => {
    for (const [at, token] of state.tokens.entries()) {
      const item = state.tokens[at - 2];
      const box =
        token.type === "inline" && item?.type === "list_item_open" ? TASK_BOX.exec(token.content) : null;
      if (!box || state.tokens[at - 1]?.type !== "paragraph_open") continue;
      token.content = token.content.slice(box[0].length);
      item!.attrJoin("class", "task");
      token.meta = { task: box[1] === " " ? "open" : "done" };
    }
  });
  md.core.ruler.push("task-boxes", (state) => {
    for (const token of state.tokens) {
      const task = (token.meta as { task?: "open" | "done" } | null)?.task;
      if (task)
        token.children = [
          createTaskToken(state.Token, true, task),
          ...(token.children ?? []),
          createTaskToken(state.Token, false, task),
        ];
    }
  });
  md.renderer.rules["task_open"] = (tokens, at) =>
    `<label><input type="checkbox" disabled${tokens[at]!.info === "done" ? " checked" : ""}> `;
  md.renderer.rules["task_close"] = () => "</label>";
}

function createTaskToken(Made: StateCore["Token"], opens: boolean, task: "open" | "done"): Token {
  const token = new Made(opens ? "task_open" : "task_close", "label", opens ? 1 : -1);
  token.info = task;
  return token;
}

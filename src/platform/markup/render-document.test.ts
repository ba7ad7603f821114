import { expect, test } from "vitest";
import { renderMarkdown, renderDocument } from "./index.ts";

const long = (name: string) => `# ${name}\n\n${"The *beds* lie in the sun.\n\n".repeat(2_000)}`;

test("long document renders in the same way as a short text, even concurrently", async () => {
  const names = ["One", "Two", "Three"];
  expect(await Promise.all(names.map((name) => renderDocument(long(name))))).toEqual(
    names.map((name) => renderMarkdown(long(name))),
  );
  expect(await renderDocument("**short**")).toBe(renderMarkdown("**short**"));
});

test("long document does not block the event loop", async () => {
  await renderDocument(long("Warm"));
  const turns: string[] = [];
  const rendering = renderDocument(`| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(20_000)}`).then(() =>
    turns.push("rendered"),
  );
  // If the document were rendered on the event loop, this callback would run after it.
  setImmediate(() => turns.push("another turn"));
  await rendering;
  expect(turns).toEqual(["another turn", "rendered"]);
});

test("documents beyond the queue's limit are refused while others are rendered", async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => renderDocument(long(String(n)))),
  );
  const refused = answers.filter((it) => it.status === "rejected");
  expect(refused).toHaveLength(3);
  for (const { reason } of refused) expect(reason).toMatchObject({ reason: "unavailable", retryAfter: 5 });
});

test("document that takes too long is refused, and the next document is rendered", async () => {
  const [slow, next] = [renderDocument(long("Slow"), { longest: 0 }), renderDocument(long("Next"))];
  await expect(slow).rejects.toMatchObject({ reason: "too-large" });
  expect(await next).toBe(renderMarkdown(long("Next")));
});

import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Adapter } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { parseJson, readLines } from "../archive/text-lines.ts";
import { describeIssue } from "../archive/issue-messages.ts";
import { Format } from "../archive/records.ts";

export const COMMUNITY_FILE = "community.ndjson";

/**
 * The project's own format (docs/interchange.md): `community.ndjson` in a folder or zip with its files, or a
 * single file.
 */
export const ndjsonAdapter: Adapter = async function* (bundle) {
  let begun = false;
  const name = findMainFile(bundle);
  for await (const { number, text, fault } of readLines(await bundle.read(name), name)) {
    const at = `line ${number}`;
    if (text?.trim() === "") continue;
    if (fault && !begun)
      throw new Refusal(
        "invalid",
        msg("{name}, line {number}: {fault}", { name, number, fault: msg(fault) }),
      );
    if (fault) yield { at, note: `Skipped: ${fault}`, lost: true };
    else if (!begun) assertFormat(text ?? "");
    else yield { at, record: text === null ? null : parseJson(text) };
    begun = true;
  }
  if (!begun) throw new Refusal("invalid", "The archive is empty.");
};

function findMainFile(bundle: Bundle): string {
  const found = bundle.names.includes(COMMUNITY_FILE)
    ? COMMUNITY_FILE
    : bundle.names.find((name) => /^[^/]+\.(?:ndjson|jsonl)$/.test(name));
  if (!found) throw new Refusal("invalid", msg("This archive has no {name}.", { name: COMMUNITY_FILE }));
  return found;
}

function assertFormat(text: string) {
  const parsed = Format.safeParse(parseJson(text));
  if (parsed.success) return;
  const issue = parsed.error.issues[0]!;
  throw new Refusal(
    "invalid",
    issue.path.length > 0
      ? msg("This is not a community archive. Its first line is not valid: {name} {what}.", {
          name: issue.path.join("."),
          what: msg(describeIssue(issue, parseJson(text))),
        })
      : "This is not a community archive: its first line must name the format, but it has no format.",
  );
}

import { many, one, run, sql } from "#platform/database";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { notAllowed, formatPath } from "./file-errors.ts";
import { nameMatchesSql } from "./name-patterns.ts";
import { descendantsSql, changeTree, resolveReadablePath } from "./file-access.ts";
import type { Caller, Files, FilePath } from "./types.ts";

/**
 * Removes the files in a directory whose names match `pattern` (`*` any text, `?` any character), with
 * `deep` also those in subdirectories; returns how many. Directories are not removed, and files that the
 * caller may not read are skipped.
 * @throws `invalid` if the path is a file, `not-found`, `not-allowed` if the caller may not remove one of
 * the files; then none is removed
 */
export async function removeMatchingFiles(
  files: Files,
  caller: Caller,
  path: FilePath,
  { pattern, deep }: { pattern: string; deep: boolean },
): Promise<number> {
  const named = nameMatchesSql(pattern);
  const rules = await files.rules();
  return changeTree(files, async (tx) => {
    const resolved = await resolveReadablePath(tx, rules, caller, path);
    if (resolved.node?.kind === "file")
      throw new Refusal(
        "invalid",
        msg("{path} is a file: a pattern needs a directory.", { path: formatPath(path) }),
        {
          kind: "bad-path",
        },
      );
    const found = await many(
      tx,
      sql<{ id: string }>`
        with recursive ${descendantsSql(rules, caller, { resolved, act: "READ", deep })}
        select id from below where may and kind = 'file' and ${named}`,
    );
    const ids = found.map(({ id }) => id);
    const { may } = await one(
      tx,
      sql<{ may: boolean }>`
        with recursive ${descendantsSql(rules, caller, { resolved, act: "DELETE", deep })}
        select coalesce(bool_and(may), true) as may from below where id = any(${ids}::uuid[])`,
    );
    if (!may) throw notAllowed(path);
    await run(tx, sql`delete from api_files where id = any(${ids}::uuid[])`);
    return ids.length;
  });
}

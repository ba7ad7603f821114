import { z } from "zod";
import { limit, many, one, run, sql } from "#platform/database";
import { issueMessage, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { fileNotFound, notAllowed, grantNotAllowed } from "./file-errors.ts";
import { isAllowedByDefault, changeTree, resolveReadablePath, resolvePath } from "./file-access.ts";
import { type FileAction, FILE_ACTIONS, type Caller, type Files, type FilePath } from "./types.ts";

/** Maximum grants and denials at one path. */
const MAX_GRANTS = 1_000;

export const FileGrantInput = z
  .object({
    permission: z.enum(FILE_ACTIONS, "A permission must be READ, WRITE or DELETE."),
    user: z.string().min(1).max(250).optional(),
    role: z.string().min(1).max(100).optional(),
  })
  .refine(
    ({ user, role }) => (user === undefined) !== (role === undefined),
    "A permission must name a user or a role.",
  );

/** A grant or denial at one path. */
export type FileGrant = { act: FileAction; kind: "user" | "role"; subject: string; allowed: boolean };

/**
 * Grants or denies an action at a path and below it, to a user, a role, or everyone (`*`). The server key
 * may do this, and the owner for actions that they may perform themselves.
 * @throws `invalid`, `not-found`, `not-allowed`
 */
export async function setFileGrant(
  files: Files,
  caller: Caller,
  path: FilePath,
  change: { allowed: boolean; body: unknown },
): Promise<void> {
  const parsed = FileGrantInput.safeParse(change.body);
  if (!parsed.success)
    throw new Refusal("invalid", issueMessage(parsed.error.issues[0]!), { kind: "bad-body" });
  const { permission, user, role } = parsed.data;
  const [kind, subject] = user === undefined ? ["role", role!] : ["user", user];
  const rules = await files.rules();
  await changeTree(files, async (tx) => {
    const resolved = await resolvePath(tx, rules, caller, path);
    const isTheirs = caller.userId !== null && resolved.node?.ownerId === caller.userId;
    // A caller who has denied READ to everyone, including themselves, can still revoke the denial.
    const isKnown =
      isTheirs ||
      resolved.isAllowed("READ") ||
      (rules.sharedPermissions && isAllowedByDefault(rules, caller, "READ", resolved.node));
    if (!resolved.exists || !isKnown) throw fileNotFound(path);
    const isShared = rules.sharedPermissions && isAllowedByDefault(rules, caller, permission, resolved.node);
    if (!caller.server && !isShared && !(isTheirs && (resolved.isAllowed(permission) || !change.allowed)))
      throw grantNotAllowed(path, rules.sharedPermissions);
    const id = resolved.node?.id ?? null;
    const { n } = await one(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int as n from api_file_grants where file_id is not distinct from ${id}::uuid`,
    );
    if (n >= MAX_GRANTS)
      throw new Refusal(
        "too-large",
        msg("A path can have at most {count} permissions.", { count: MAX_GRANTS }),
      );
    await run(
      tx,
      sql`insert into api_file_grants (file_id, act, kind, subject, allowed)
          values (${id}, ${permission}, ${kind}, ${subject}, ${change.allowed})
          on conflict (file_id, act, kind, subject) do update set allowed = excluded.allowed`,
    );
  });
}

/**
 * Lists the grants at exactly this path. Only for the server key.
 * @throws `not-found`, `not-allowed` without the server key
 */
export async function listFileGrants(files: Files, caller: Caller, path: FilePath): Promise<FileGrant[]> {
  const { node } = await resolveReadablePath(files.db, await files.rules(), caller, path);
  if (!caller.server) throw notAllowed(path);
  return many(
    files.db,
    sql<FileGrant>`select act, kind, subject, allowed from api_file_grants
      where file_id is not distinct from ${node?.id ?? null}::uuid
               order by kind, subject, act ${limit(MAX_GRANTS)}`,
  );
}

/**
 * Removes a grant or denial. Only for the server key.
 * @throws as `listFileGrants` does
 */
export async function removeFileGrant(
  files: Files,
  caller: Caller,
  path: FilePath,
  { act, kind, subject }: Omit<FileGrant, "allowed">,
): Promise<void> {
  const { node } = await resolveReadablePath(files.db, await files.rules(), caller, path);
  if (!caller.server) throw notAllowed(path);
  await run(
    files.db,
    sql`delete from api_file_grants
        where file_id is not distinct from ${node?.id ?? null}::uuid and act = ${act} and kind = ${kind}
          and subject = ${subject}`,
  );
}

import { run, sql } from "#platform/database";
import { type Batch, type Entry, idsFor, write } from "./batch.ts";

/** Pictures and files: their bytes are in the storage already. */
export async function placeFiles(batch: Batch, entries: Entry<"file">[]): Promise<void> {
  const fresh = await idsFor(batch, "uploads", entries, (it) => it);
  const rows = fresh.map(({ id, record: it }) => {
    const [kind, of] =
      it.as && it.user
        ? ["person", batch.names.of("user", it.user)!]
        : it.as && it.group
          ? ["group", batch.names.of("group", it.group)!]
          : [null, null];
    return {
      id,
      owner_id: it.owner ? batch.names.of("user", it.owner) : null,
      ...batch.stored.get(it.id)!,
      file_name: it.name,
      width: it.width ?? null,
      height: it.height ?? null,
      alt: it.alt,
      attached_kind: kind,
      attached_id: of,
      created_at: it.createdAt ?? batch.tx.now,
    };
  });
  await write(batch, "uploads", rows);
  if (batch.check) return;
  const ids = (as: string) => fresh.filter(({ record }) => record.as === as).map(({ id }) => id);
  const ghosts = sql`people.id = u.attached_id and u.attached_kind = 'person' and people.state = 'ghost'`;
  await run(
    batch.tx,
    sql`update people set photo_id = u.id from uploads u where u.id = any(${ids("photo")}::uuid[]) and people.photo_id is null and ${ghosts}`,
  );
  await run(
    batch.tx,
    sql`update people set header_id = u.id from uploads u where u.id = any(${ids("header")}::uuid[]) and people.header_id is null and ${ghosts}`,
  );
  await run(
    batch.tx,
    sql`update groups set header_id = u.id from uploads u where u.id = any(${ids("header")}::uuid[]) and groups.id = u.attached_id and u.attached_kind = 'group' and groups.header_id is null`,
  );
}

import { many, sql } from "#platform/database";
import type { DomainEvent } from "#platform/outbox";
import type { Search } from "#community/search";
import type { TestDatabase } from "../setup/test-database.ts";

/** Returns a function that updates an index by the domain events since its last call. */
export function createIndexFollower({ db }: TestDatabase, search: () => Search): () => Promise<void> {
  let processed = 0n;
  /** Processes these events as the dispatcher does, then the indexing queue. */
  return async () => {
    const rows = await many(
      db,
      sql<{
        id: string;
        payload: DomainEvent;
      }>`select id, payload from outbox where id > ${processed} order by id`,
    );
    for (const { id, payload } of rows) {
      await search().indexer.react(payload);
      processed = BigInt(id);
    }
    await search().indexer.finish();
  };
}

import { expect } from "vitest";
import { getEntityRow } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import { type CommandContext, createRecord, removeRecord, updateRecord } from "#community/services";
import { defaultSettings } from "#community/settings";
import type { TestDatabase } from "../setup/test-database.ts";
import { createTestDiscussion, createTestGroup, createTestUsers } from "../test-users.ts";

/** Matches a refusal by its reason and its message. */
export const matchingRefusal = (reason: string, words = /./) => ({
  reason,
  message: expect.stringMatching(words) as string,
});

export function createRecordSetup(database: TestDatabase) {
  const { inTransaction: within, db } = database;
  const runAs = <T>(viewer: Viewer, work: (context: CommandContext) => Promise<T>) =>
    within((tx) => work({ tx, viewer, site: defaultSettings }));
  const create = (viewer: Viewer, entity: string, values: Record<string, unknown>) =>
    runAs(viewer, (context) => createRecord(context, entity, values));
  const change = (viewer: Viewer, entity: string, id: string, values: Record<string, unknown>) =>
    runAs(viewer, (context) => updateRecord(context, entity, id, values));
  const remove = (viewer: Viewer, entity: string, id: string) =>
    runAs(viewer, (context) => removeRecord(context, entity, id));
  const getRow = (viewer: Viewer, entity: string, id: string) => getEntityRow(db, viewer, entity, id);

  /** Creates a group owned by Tomas with a discussion started by Mira. */
  async function setupGroup() {
    const people = await createTestUsers(database);
    const group = await createTestGroup(database, people);
    return {
      ...people,
      groupId: group.id,
      discussion: await createTestDiscussion(database, people.mira, group.id),
    };
  }

  return { create, change, remove, getRow, setupGroup };
}

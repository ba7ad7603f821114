import { type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { API_ENTITIES, type EntityRow, getEntityRow } from "#community/api-entities";
import { assertTokenScope } from "#community/common";
import { tokenRules } from "#community/rules";
import { type RecordInput } from "./commands/record-commands.ts";
import { assertTokenGroups } from "./token-groups.ts";
import { COMMANDS_BY_ENTITY } from "./commands/index.ts";
import type { CommandContext } from "./define-service.ts";

/** Why API clients cannot create, update or remove records of an entity; null if they can. */
export const unsupportedReason = (entity: string, act: "create" | "update" | "remove"): Message | null => {
  const { update, ...others } = COMMANDS_BY_ENTITY[entity]!;
  if (act === "update") return typeof update === "string" ? update : null;
  const found = others[act];
  return typeof found === "function" ? null : found;
};

const notAllowed = (message: Message) => new Refusal("not-allowed", message);

/**
 * Creates a record with the same command as pages; returns its objectId.
 * @throws the command's refusals; `not-allowed` without a command
 */
export async function createRecord(
  context: CommandContext,
  entity: string,
  input: RecordInput,
): Promise<string> {
  assertTokenScope(context.viewer, tokenRules.entityArea(entity), "write");
  const { create } = COMMANDS_BY_ENTITY[entity]!;
  if (typeof create !== "function") throw notAllowed(create);
  await assertTokenGroups(context.tx, context.viewer, input, { isWhole: true });
  return create(context, input);
}

/**
 * Updates a record with the commands of its changed columns. API clients send whole records, so unchanged
 * values are ignored.
 * @throws `not-found`, the commands' refusals; `not-allowed` for a column without a command
 */
export async function updateRecord(
  context: CommandContext,
  entity: string,
  objectId: string,
  input: RecordInput,
): Promise<void> {
  assertTokenScope(context.viewer, tokenRules.entityArea(entity), "write");
  const { update } = COMMANDS_BY_ENTITY[entity]!;
  const now = await getEntityRow(context.tx, context.viewer, entity, objectId);
  if (typeof update === "string") throw notAllowed(update);
  const changed = listChangedColumns(entity, now, input);
  const fixed = changed.find((name) => !Object.hasOwn(update, name));
  if (fixed !== undefined)
    throw notAllowed(msg("“{fixed}” of {entity} cannot be changed.", { fixed, entity }));
  await assertTokenGroups(context.tx, context.viewer, input, { isWhole: false });
  const isOwn = now["mine"] === true;
  for (const name of changed)
    assertTokenScope(context.viewer, tokenRules.columnArea(entity, name, { isOwn }), "write");
  for (const act of new Set(changed.map((name) => update[name]!))) await act(context, now, input);
}

/**
 * Removes a record with the same command as pages.
 * @throws `not-found`, the command's refusals; `not-allowed` without a command
 */
export async function removeRecord(context: CommandContext, entity: string, objectId: string): Promise<void> {
  assertTokenScope(context.viewer, tokenRules.entityArea(entity), "write");
  const { remove } = COMMANDS_BY_ENTITY[entity]!;
  const now = await getEntityRow(context.tx, context.viewer, entity, objectId);
  if (typeof remove !== "function") throw notAllowed(remove);
  await remove(context, now);
}

/** Columns that only the system sets. */
const SYSTEM_COLUMNS = new Set(["objectId", "ownerId", "created", "updated"]);

function listChangedColumns(entity: string, now: EntityRow, input: RecordInput): string[] {
  const { columns } = API_ENTITIES.find(({ name }) => name === entity)!;
  return columns
    .filter(
      ({ name, type }) =>
        input[name] !== undefined &&
        !SYSTEM_COLUMNS.has(name) &&
        comparableValue(type, input[name]) !== comparableValue(type, now[name]),
    )
    .map(({ name }) => name);
}

/** A comparable value: equal times in different notations are equal. */
function comparableValue(type: string, value: unknown): string {
  const isMoment =
    type === "DATETIME" && (typeof value === "string" || typeof value === "number" || value instanceof Date);
  return JSON.stringify(isMoment ? new Date(value).getTime() : value) ?? "";
}

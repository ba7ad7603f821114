import type { RecordQuery } from "../writing/archive-lines.ts";
import { CALENDAR_TABLES } from "./exported-calendar-tables.ts";
import { CONVERSATION_TABLES } from "./exported-conversation-tables.ts";
import { DISCUSSION_TABLES } from "./exported-discussion-tables.ts";
import { RESOURCE_REFERENCE_TABLES, RESOURCE_TABLES } from "./exported-library-tables.ts";
import { PEOPLE_TABLES } from "./exported-people-tables.ts";

/** All exported tables, each after those it references, in a stable order. */
export const EXPORTED_TABLES: RecordQuery[] = [
  ...PEOPLE_TABLES,
  ...RESOURCE_TABLES,
  ...DISCUSSION_TABLES,
  ...CALENDAR_TABLES,
  ...RESOURCE_REFERENCE_TABLES,
  ...CONVERSATION_TABLES,
];

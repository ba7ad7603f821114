import { readSchedule } from "./cron.ts";
import type { PartInfo } from "./thread-protocol.ts";
import { errorMessage } from "./extension-errors.ts";

const NAME = /^[A-Za-z][\w-]{0,63}$/;
const findNameFault = (name: string) =>
  NAME.test(name) ? null : `'${name.slice(0, 80)}' is not a valid name.`;

/** Returns the reason why a part is invalid; null if it is valid. */
export function findPartFault(part: PartInfo): string | null {
  if (part.kind === "service") return findNameFault(part.service) ?? findNameFault(part.method);
  if (part.kind === "event")
    return part.event.length > 0 && part.event.length <= 100
      ? null
      : "An event name must have 1 to 100 characters.";
  if (part.kind === "hook") return part.table === "*" ? null : findNameFault(part.table);
  try {
    readSchedule(part.at);
    return findNameFault(part.name);
  } catch (error) {
    return `${part.name}: ${errorMessage(error)}`;
  }
}

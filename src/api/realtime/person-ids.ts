import type { Caller } from "./realtime-caller.ts";

export const listPersonIds = (callers: Iterable<Caller>): string[] => [
  ...new Set([...callers].map(({ viewer }) => viewer.id).filter((id): id is string => id !== null)),
];

import type { Moved, Sum } from "#platform/storage";

const SHOWN = 20;

/** 3.1 GB: no more digits than needed. */
function amount(bytes: number): string {
  const [unit, name] = bytes < 1e6 ? [1e3, "KB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

const filesOf = ({ files, bytes }: Sum) => `${files} ${files === 1 ? "file" : "files"} (${amount(bytes)})`;

/** Progress line. */
export const soFar = ({ copied, there }: Moved) => `  ${filesOf(copied)} copied, ${filesOf(there)} there already…`;

/** Final report, line by line. */
export function outcome(
  { copied, there, removed, gone, unreadable, alone }: Moved,
  { remove, dryRun }: { remove: boolean; dryRun: boolean },
) {
  const lines = [
    dryRun
      ? `${filesOf(copied)} would be copied, ${filesOf(there)} are there already.`
      : `${filesOf(copied)} copied, ${filesOf(there)} were there already.`,
  ];
  if (remove) lines.push(`${filesOf(removed)} ${dryRun ? "would be" : "were"} removed at the old place.`);
  if (gone > 0) lines.push(`${gone} were removed at the old place meanwhile, by a Kith that runs.`);
  if (alone > 0)
    lines.push(`${alone} lie at the new place alone: they have been removed at the old one, or are newer. They were left there.`);
  if (unreadable.length > 0) {
    lines.push(
      `${unreadable.length} cannot be read at the old place, or are not what their names say. They were not copied, and not removed:`,
    );
    for (const hash of unreadable.slice(0, SHOWN)) lines.push(`  ${hash}`);
    if (unreadable.length > SHOWN) lines.push(`  and ${unreadable.length - SHOWN} more`);
  }
  return lines;
}

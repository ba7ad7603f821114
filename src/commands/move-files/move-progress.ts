import type { MoveResult, FileTotals } from "#platform/storage";

const MAX_LISTED = 20;

/** Formats a size as 3.1 GB, with no more digits than needed. */
function formatBytes(bytes: number): string {
  const [unit, name] = bytes < 1e6 ? [1e3, "KB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}

const formatTotals = ({ files, bytes }: FileTotals) =>
  `${files} ${files === 1 ? "file" : "files"} (${formatBytes(bytes)})`;

/** Formats the progress line. */
export const formatProgress = ({ copied, there }: MoveResult) =>
  `  ${formatTotals(copied)} copied, ${formatTotals(there)} already there…`;

/** Formats the final report, line by line. */
export function formatResult(
  { copied, there, removed, gone, unreadable, alone }: MoveResult,
  { remove, dryRun }: { remove: boolean; dryRun: boolean },
) {
  const lines = [
    dryRun
      ? `${formatTotals(copied)} would be copied, ${formatTotals(there)} are already there.`
      : `${formatTotals(copied)} copied, ${formatTotals(there)} were already there.`,
  ];
  if (remove) lines.push(`${formatTotals(removed)} ${dryRun ? "would be" : "were"} removed from the source.`);
  if (gone > 0) lines.push(`${gone} were removed from the source meanwhile by a running Kith.`);
  if (alone > 0)
    lines.push(
      `${alone} exist only at the target: they were removed from the source, or are newer. They were kept.`,
    );
  if (unreadable.length > 0) {
    lines.push(
      `${unreadable.length} cannot be read at the source, or do not match their names. They were ` +
        `neither copied nor removed:`,
    );
    for (const hash of unreadable.slice(0, MAX_LISTED)) lines.push(`  ${hash}`);
    if (unreadable.length > MAX_LISTED) lines.push(`  and ${unreadable.length - MAX_LISTED} more`);
  }
  return lines;
}

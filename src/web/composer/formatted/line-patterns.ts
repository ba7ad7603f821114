import type { Node } from "prosemirror-model";

/** A block and its lines: `from` inclusive, `to` exclusive. */
export type Block = { node: Node; from: number; to: number; isUnclosed?: boolean };

export const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
export const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
export const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
export const COLONS = /^ {0,3}(:{3,})(.*)$/;
export const FOOTNOTE = /^ {0,3}\[\^[^\s\]]+\]:/;
export const REFERENCE = /^ {0,3}\[[^\]]+\]:/;
export const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
export const TABLE_RULE = /^ {0,3}(?=.*-)(?=.*[|:])(?!- )[|:\- \t]+$/;
export const ITEM_MARK = /^( {0,3})([-+*]|\d{1,9}[.)])(?=[ \t]|$)/;

export const isBlank = (line: string | undefined) => line === undefined || line.trim() === "";

/** Whether a line ends the paragraph before it. */
export const startsBlock = (line: string): boolean =>
  HEADING.test(line) ||
  RULE.test(line) ||
  FENCE.test(line) ||
  COLONS.test(line) ||
  FOOTNOTE.test(line) ||
  /^ {0,3}>/.test(line) ||
  /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/.test(line);

/** Whether a line without the mark or indentation of the block before it ends that block. */
export const endsContainer = (line: string): boolean => startsBlock(line) && !FOOTNOTE.test(line);

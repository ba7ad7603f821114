export { renderDocument } from "./render-document.ts";
export { removeDisruptiveMarks } from "./sanitize-text.ts";
export { createExcerpt, createMailExcerpt } from "./excerpt.ts";
export { hasLongBlankRun } from "./blank-runs.ts";
export { stripMedia } from "./strip-media.ts";
export { escapeInline, escapeLabel, escapeMarkdown } from "./escape-markdown.ts";
export type { KnownPicture } from "./picture-syntax.ts";
export { findLinks, parseText, renderMarkdown, textToHtml } from "./render-markdown.ts";
export type { ParsedText } from "./render-markdown.ts";

import type Turndown from "turndown";
import { readPrivateField } from "#platform/objects";
import { element } from "./rule-element.ts";

// Converts embedded videos, audio and pages to links, because an import does not fetch them.

const EMBED_ELEMENTS = ["IFRAME", "VIDEO", "AUDIO", "EMBED", "OBJECT"];

type FormatLink = (words: string, to: string | null) => string;

/**
 * Adds rules that replace embedded content with links. `link` formats a link, or returns only its text if the
 * target is invalid; `lose` receives the name of a dropped element.
 */
export function addEmbedRules(turndown: Turndown, link: FormatLink, lose: (name: string) => void): void {
  const linked = (node: Element) => {
    const to = findEmbedUrl(node);
    const linkText = to === null ? "" : link(embedTitle(node), videoPageUrl(to));
    if (!linkText.includes("](")) lose(node.nodeName === "DIV" ? "video" : node.nodeName.toLowerCase());
    return linkText.includes("](") ? `\n\n${linkText}\n\n` : "";
  };
  turndown.addRule("shown", {
    filter: (node) => isEmbed(element(node)),
    replacement: (_, node) => linked(element(node)),
  });
  // Turndown applies its blank rule to empty elements before the other rules.
  const blankRule = readPrivateField<{ replacement: Turndown.ReplacementFunction }>(
    turndown.rules,
    "blankRule",
  );
  const blank = blankRule.replacement;
  blankRule.replacement = (content, node, options) =>
    isEmbed(element(node)) ? linked(element(node)) : blank(content, node, options);
}

/** Attributes that Discourse writes for a video that loads on click. */
const VIDEO_ATTRIBUTES = ["data-youtube-id", "data-video-id", "data-video-src"];
const isVideo = (node: Element) =>
  node.nodeName === "DIV" && VIDEO_ATTRIBUTES.some((name) => node.hasAttribute(name));
const isEmbed = (node: Element) => EMBED_ELEMENTS.includes(node.nodeName) || isVideo(node);

const embedTitle = (node: Element) =>
  node.getAttribute("title") ??
  node.getAttribute("data-youtube-title") ??
  node.getAttribute("data-video-title") ??
  "";

/**
 * Address of the video's page; for an unknown provider, the target of the link around its preview picture.
 */
function findVideoUrl(node: Element): string | null {
  const [id, provider] = [
    node.getAttribute("data-youtube-id") ?? node.getAttribute("data-video-id"),
    node.getAttribute("data-provider-name"),
  ];
  if (!id) return node.getAttribute("data-video-src");
  if (node.hasAttribute("data-youtube-id") || provider === "youtube")
    return `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`;
  if (provider === "vimeo") return `https://vimeo.com/${encodeURIComponent(id)}`;
  return node.querySelector("a[href]")?.getAttribute("href") ?? null;
}

const findEmbedUrl = (node: Element): string | null =>
  isVideo(node) ? findVideoUrl(node) : findSourceUrl(node);

const findSourceUrl = (node: Element): string | null =>
  node.getAttribute("src") ??
  node.getAttribute("data-src") ??
  node.getAttribute("data") ??
  node.querySelector("source[src]")?.getAttribute("src") ??
  node.querySelector("embed[src]")?.getAttribute("src") ??
  null;

/** The page of a video, by the address of its embed frame. */
const VIDEO_PAGES: [RegExp, string][] = [
  [
    /^(?:https?:)?\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})(?:[?#].*)?$/,
    "https://www.youtube.com/watch?v=$1",
  ],
  [/^(?:https?:)?\/\/player\.vimeo\.com\/video\/(\d+)(?:[?#].*)?$/, "https://vimeo.com/$1"],
];
const videoPageUrl = (to: string) => VIDEO_PAGES.reduce((it, [frame, page]) => it.replace(frame, page), to);

import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";
import { pageRangeParams } from "../posts/post-context.ts";
import { appendToReply } from "./reply-form.tsx";

type Selection = { words: string; number: number; top: number; left: number };
const MAX_CHARACTERS = 2_000;

/** Button above selected text of a post. It quotes the text in the reply form, as a reply to that post. */
export default function QuoteSelection({ data }: { data: DiscussionData }) {
  const t = useTranslate();
  const navigate = useNavigate();
  const [selected, setSelected] = useState<Selection | null>(null);
  useEffect(() => {
    const look = () => setSelected(readSelection());
    // Text may have been selected before this component was loaded.
    const first = requestAnimationFrame(look);
    document.addEventListener("selectionchange", look);
    document.addEventListener("scroll", look, { passive: true });
    return () => {
      cancelAnimationFrame(first);
      document.removeEventListener("selectionchange", look);
      document.removeEventListener("scroll", look);
    };
  }, []);
  const post = selected && data.posts.find(({ number }) => number === selected.number);
  if (!selected || !post) return null;
  const quote = async () => {
    const lines = selected.words.split("\n").map((line) => `> ${line}`.trimEnd());
    getSelection()?.removeAllRanges();
    await navigate(
      urls.discussionDoing(data.discussion.id, post.number, { ...pageRangeParams(data), reply: post.id }),
      {
        preventScrollReset: true,
      },
    );
    appendToReply(`${lines.join("\n")}\n\n`);
  };
  return (
    // The press must not clear the selection before the click reads it.
    <Button
      className="quote-selection"
      style={{ top: selected.top, left: selected.left }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => void quote()}
    >
      <i className="icon icon-quote size-4" /> {t("Quote")}
    </Button>
  );
}

/** Returns the selection within the text of one post, and the position of its end in the window. */
function readSelection(): Selection | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const text = (within instanceof Element ? within : within.parentElement)?.closest("article .prose");
  const article = text?.closest("article");
  const words = selection.toString().trim().slice(0, MAX_CHARACTERS);
  if (!article || words === "") return null;
  const { bottom, left, width } = range.getBoundingClientRect();
  const near = Math.max(8, Math.min(left + width / 2, innerWidth - 120));
  return {
    words,
    number: Number(article.id.replace("post-", "")),
    top: Math.min(bottom + 8, innerHeight - 56),
    left: near,
  };
}

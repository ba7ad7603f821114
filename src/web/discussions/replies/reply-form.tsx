import { useEffect, useState } from "react";
import { LIMITS } from "#community/rules";
import { useGroupTexts } from "../../groups/group-texts.ts";
import { Composer, useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import { type PostInput, readPostInput } from "../../composer/use-unsent-posts.ts";
import type { DiscussionData } from "../discussion-data.ts";
import { DraftSaver } from "../drafts/draft-saver.tsx";
import { type PageRange, pageRangeParams, postLink } from "../posts/post-context.ts";
import { PollFields } from "../polls/poll-fields.tsx";
import { ReadersOnline } from "../reading/readers-online.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { SignInToSend } from "../../account/sign-in/sign-in-to-send.tsx";

type ReplyFormProps = { data: DiscussionData; send: (input: PostInput) => void; closed: boolean };

/**
 * The reply form; on phones a reply to a post opens it as a sheet over the page. Guests may write too: sending
 * asks them to sign in, and keeps the text. If replies are
 * closed while the form is being filled in, it keeps its text but cannot be sent.
 */
export function ReplyForm({ data, send, closed }: ReplyFormProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const { audience } = useGroupTexts();
  const { discussion, draft, place, clientId, openActions } = data;
  const answer = useFormResult<RejectedForm | null>();
  const refused = answer && "refused" in answer && answer.typed["intent"] === "reply" ? answer : undefined;
  const { quote } = openActions;
  useEffect(() => {
    if (quote) appendToReply(quote);
  }, [quote]);
  useFocusOnReply(openActions.replyTo?.id);
  const [sentTo, setSentTo] = useState<string>();
  const sendReply = (form: FormData) => {
    setSentTo(openActions.replyTo?.id);
    send(readPostInput(form));
  };
  return (
    <section
      id="reply"
      aria-labelledby="reply-title"
      className="reply-form mt-6 scroll-mt-16 border-t border-line pt-5"
      data-sheet={(openActions.replyTo && openActions.replyTo.id !== sentTo) || undefined}
    >
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
        <h2 id="reply-title" className="text-large font-semibold">
          {t("Reply")}
        </h2>
        {me && <ReadersOnline discussionId={discussion.id} />}
      </div>
      {discussion.locked && me && !closed && (
        <p className="mb-2 text-quiet">
          {t("This discussion is locked. As a moderator you can still reply.")}
        </p>
      )}
      {!closed && <ReplyWarning data={data} />}
      {refused?.refused.reason === "not-signed-in" && (
        <div className="mb-3">
          <SignInToSend text={refused.typed["body"] ?? ""} place={place} />
        </div>
      )}
      <Composer
        intent="reply"
        place={place}
        allowsMentions={me !== null}
        label={t("Your reply")}
        send={t("Reply")}
        sending={t("Sending…")}
        audience={audience(discussion.group, discussion.audience)}
        most={LIMITS.post}
        draft={[draft?.body, quote].filter(Boolean).join("\n\n")}
        previews={me !== null}
        onSend={me ? sendReply : undefined}
        closed={closed}
        more={me && <PollFields draft={draft?.more} />}
      >
        <input type="hidden" name="clientId" value={clientId} />
        {openActions.replyTo && (
          <ReplyTarget
            to={openActions.replyTo}
            it={data}
            away={`${urls.discussion(discussion.id, { page: data.page, ...pageRangeParams(data) })}#reply`}
          />
        )}
        {me && (
          <DraftSaver
            target={place}
            draft={draft}
            known={{ number: lastKnownPost(data), discussionId: discussion.id }}
          />
        )}
      </Composer>
    </section>
  );
}

/**
 * Number of the last post that was there when the page was loaded. Only the last page shows it, together with
 * posts that have arrived since.
 */
const lastKnownPost = ({ discussion, posts, upTo, pages }: DiscussionData): number =>
  upTo === pages ? (posts.at(-1)?.number ?? 0) : discussion.lastNumber;

/** A warning before replying, which does not prevent it. */
function ReplyWarning({ data: { before, discussion } }: { data: DiscussionData }) {
  const t = useTranslate();
  if (before.reply === null || before.upTo !== discussion.lastNumber) return null;
  return (
    <p className="mb-2 text-quiet" data-before-reply>
      {before.reply === "waking"
        ? t(
            "No activity for {days, plural, one {# day} other {# days}}. Consider a new discussion " +
              "instead of reviving this one.",
            {
              days: LIMITS.longQuietDays,
            },
          )
        : t("You wrote the last two replies. Consider editing the last one, or let others reply first.")}
    </p>
  );
}

/** Shows which post the form replies to; `away` is the address of the page without a chosen post. */
export function ReplyTarget({
  to,
  it,
  away,
}: {
  to: NonNullable<DiscussionData["openActions"]["replyTo"]>;
  it: PageRange;
  away: string;
}) {
  const t = useTranslate();
  return (
    <div className="mb-2 flex items-center gap-2 rounded-control bg-sunken px-3 py-1 text-small">
      <input type="hidden" name="replyTo" value={to.id} />
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">
          {t("Reply to {name}, #{number}", { name: to.name ?? t("Someone"), number: to.number })}
        </span>
        {to.excerpt && (
          <span dir="auto" className="block truncate text-quiet">
            {to.excerpt}
          </span>
        )}
      </p>
      <Link
        to={postLink(it, to.number, { reply: to.id, quote: "1" })}
        preventScrollReset
        className="text-quiet"
      >
        {t("Quote")}
      </Link>
      <Link
        to={away}
        preventScrollReset
        className="inline-flex size-7 items-center justify-center text-quiet"
        aria-label={t("Reply to discussion")}
      >
        <i className="icon icon-x size-4" />
      </Link>
    </div>
  );
}

/** Focuses the field when the page opens a reply to a post, without moving the text that is answered. */
function useFocusOnReply(answered: string | undefined) {
  useEffect(() => {
    if (answered) findReplyField()?.focus({ preventScroll: true });
  }, [answered]);
}

/** The text field of the page's reply form. */
export const findReplyField = () =>
  document.querySelector<HTMLTextAreaElement>('form[data-composer="reply"] textarea[name="body"]');

/** Leads to the reply form, and with scripts into its text field. */
export function ReplyLink() {
  const t = useTranslate();
  return (
    <a
      href="#reply"
      className="button"
      data-kind="quiet"
      aria-label={t("Reply to discussion")}
      onClick={(event) => {
        event.preventDefault();
        findReplyField()?.focus();
      }}
    >
      <i className="icon icon-reply" />
      {t("Reply")}
    </a>
  );
}

/** Appends text to the reply, unless the reply contains it already. */
export function appendToReply(words: string) {
  const field = findReplyField();
  if (!field) return;
  if (!field.value.includes(words.trim())) {
    field.value = [field.value.trimEnd(), words].filter(Boolean).join("\n\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

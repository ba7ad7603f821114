import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { Avatar, ButtonLink } from "../ui/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { ActionForm } from "./action-form.tsx";
import type { PersonSummary } from "./hover-card-data.ts";
import type { HoverTarget } from "./hover-cards.tsx";

/** Milliseconds that the pointer may take to move between the name and its card. */
const CLOSE_DELAY = 250;

type Props = { at: HoverTarget; close: () => void };

/** Card beside the name under the pointer. It closes on Escape, or when the pointer leaves. */
export default function HoverCard({ at, close }: Props) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const [person, setPerson] = useState<PersonSummary | null>(null);
  useEffect(() => {
    let here = true;
    const ask = async () => {
      const data = await fetchLiveData<PersonSummary>(urls.personCard(at.id));
      if (!here) return;
      if (data === null || data === "shut") close();
      else setPerson(data);
    };
    void ask();
    return () => void (here = false);
  }, [at.id, close]);
  useStayOpen(at, box, close);
  const position = useCardPosition(at, box, person);
  if (!person) return null;
  const { groups, moreGroups } = person;
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={t("About {name}", { name: person.name })}
      data-person-card
      className="person-card"
      style={position}
    >
      <div className="flex items-center gap-3">
        <Avatar person={person} size={48} />
        <p className="min-w-0 leading-6">
          <Link to={urls.person(person.id)} dir="auto" className="block truncate font-semibold text-ink">
            {person.name}
          </Link>
          <bdi className="text-small text-quiet">@{person.username}</bdi>
        </p>
      </div>
      {person.line && (
        <p dir="auto" className="mt-2 line-clamp-2 break-words">
          {person.line}
        </p>
      )}
      {groups.length > 0 && (
        <p className="mt-2 text-small text-quiet">
          {t("In common:")} <span dir="auto">{groups.join(", ")}</span>
          {moreGroups > 0 && (
            <> {t("and {count, plural, one {# more} other {# more}}", { count: moreGroups })}</>
          )}
        </p>
      )}
      <CardButtons person={person} />
    </div>
  );
}

function CardButtons({ person }: { person: PersonSummary }) {
  const t = useTranslate();
  const { id, canAsk, isFriend, message } = person;
  if (!canAsk && !message && !isFriend) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {canAsk && (
        <ActionForm
          intent="send-request"
          action={urls.person(id)}
          fields={{ personId: id }}
          kind="primary"
          busy={t("Sending…")}
        >
          {t("Add friend")}
        </ActionForm>
      )}
      {isFriend && <span className="text-small text-quiet">{t("You are friends")}</span>}
      {message && (
        <ButtonLink
          to={
            "conversationId" in message
              ? urls.conversation(message.conversationId!)
              : urls.messages({ to: message.to })
          }
        >
          {t("Message", undefined, "verb")}
        </ButtonLink>
      )}
    </div>
  );
}

/** Keeps the card open while the pointer or the focus is on the name or the card. */
function useStayOpen(
  { link, byKey }: HoverTarget,
  box: React.RefObject<HTMLDivElement | null>,
  close: () => void,
) {
  useEffect(() => {
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const within = (node: EventTarget | null) =>
      node instanceof Node && (link.contains(node) || Boolean(box.current?.contains(node)));
    const onMove = (event: Event) => {
      if (byKey || (event.type === "pointerover" && within(event.target))) return clearTimeout(leaving);
      clearTimeout(leaving);
      leaving = setTimeout(close, CLOSE_DELAY);
    };
    const onFocus = (event: Event) => !within(event.target) && close();
    const onPress = (event: Event) =>
      !(event.target instanceof Node && box.current?.contains(event.target)) && close();
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent)) return;
      if (event.key === "Escape") {
        if (box.current?.contains(document.activeElement)) link.focus();
        close();
      } else if (event.key === "Tab") handleTabKey(event, link, box.current);
    };
    const events: [string, (event: Event) => void][] = [
      ["pointerover", onMove],
      ["focusin", onFocus],
      ["pointerdown", onPress],
      ["keydown", onKey],
      ["scroll", close],
    ];
    for (const [name, listener] of events) document.addEventListener(name, listener, name === "scroll");
    return () => {
      clearTimeout(leaving);
      for (const [name, listener] of events) document.removeEventListener(name, listener, name === "scroll");
    };
  }, [link, byKey, box, close]);
}

/**
 * Moves the focus with Tab: the card's element is at the end of the document, but comes after its name in
 * tab order.
 */
function handleTabKey(event: KeyboardEvent, link: HTMLAnchorElement, card: HTMLElement | null) {
  const stops = [...(card?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  const here = document.activeElement;
  const [first, last] = [stops[0], stops.at(-1)];
  if (here === link && !event.shiftKey && first) {
    event.preventDefault();
    first.focus();
  } else if (here === first && event.shiftKey) {
    event.preventDefault();
    link.focus();
    // From the last element, the focus first returns to the name; the browser then moves it to the element
    // after the name.
  } else if (here === last && !event.shiftKey) link.focus();
}

/** Positions the card below the name, or above it if there is too little space, always inside the window. */
function useCardPosition(
  { link }: HoverTarget,
  box: React.RefObject<HTMLDivElement | null>,
  person: PersonSummary | null,
) {
  const [position, setPosition] = useState({ top: 0, left: 0 });
  useLayoutEffect(() => {
    const card = person && box.current?.getBoundingClientRect();
    if (!card) return;
    const name = link.getBoundingClientRect();
    const { width, height } = card;
    const below = name.bottom + DESIGN_TOKENS.tooltipOffset;
    const start = getComputedStyle(link).direction === "rtl" ? name.right - width : name.left;
    setPosition({
      top:
        below + height <= innerHeight ? below : Math.max(0, name.top - DESIGN_TOKENS.tooltipOffset - height),
      left: Math.max(8, Math.min(innerWidth - width - 8, start)),
    });
  }, [link, box, person]);
  return position;
}

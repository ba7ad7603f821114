import { useTranslate } from "../i18n/index.ts";
import type { UnsentPost } from "../composer/use-unsent-posts.ts";
import { FailedItem } from "../composer/unsent-list.tsx";

type Props = { items: UnsentPost[]; retry: (item: UnsentPost) => void; discard: (id: string) => void };

/** Messages that are being sent, listed where they will appear. */
export default function PendingMessages({ items, retry, discard }: Props) {
  const t = useTranslate();
  return (
    <ul aria-label={t("Not sent yet")} className="mt-4 grid justify-items-end gap-2">
      {items.map((item) => (
        <li key={item.id} className="max-w-[85%]">
          <p
            dir="auto"
            className="rounded-panel bg-accent-soft px-3 py-2 break-words whitespace-pre-wrap opacity-70"
          >
            {item.body}
          </p>
          <p role="status" className="text-end text-small text-quiet">
            {item.state === "sending" && t("Sending…")}
            {item.state === "sent" && t("Sent", undefined, "message")}
          </p>
          {item.state === "failed" && (
            <FailedItem item={item} retry={() => retry(item)} discard={() => discard(item.id)} />
          )}
        </li>
      ))}
    </ul>
  );
}

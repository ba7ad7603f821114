import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { useLiveConnection } from "../../live/use-live-connection.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Notice of new posts above a group's list. The list changes only when the reader clicks the notice. */
export default function CreateInGroup({ groupId }: { groupId: string }) {
  const t = useTranslate();
  const line = useLiveConnection();
  const { revalidate, state } = useRevalidator();
  const [posts, setPosts] = useState<ReadonlySet<unknown>>(new Set());
  const [listening, setListening] = useState(false);
  useEffect(() => {
    let broke = false;
    return line?.follow([{ table: "Posts", events: ["created"], where: `groupId = '${groupId}'` }], {
      changed: ({ objectId }) => setPosts((before) => new Set([...before, objectId])),
      ready() {
        // Updates were missed while the connection was lost, so the page is loaded again.
        if (broke) void revalidate();
        broke = true;
        setListening(true);
      },
    });
  }, [line, groupId, revalidate]);
  const show = async () => {
    await revalidate();
    setPosts(new Set());
  };
  return (
    <div role="status" className="live-pill live-pill-above" data-listening={listening || undefined}>
      {posts.size > 0 && (
        <button type="button" onClick={() => void show()} disabled={state === "loading"}>
          <i className="icon icon-refresh-cw size-4" />
          {t("{count, plural, one {# new post} other {# new posts}}", { count: posts.size })}
        </button>
      )}
    </div>
  );
}
